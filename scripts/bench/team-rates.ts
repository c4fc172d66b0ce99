import { join } from 'node:path';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { filledPath } from '#shared/contract/endpoint.ts';
import { type Caller, endpointOf, type Input } from './caller.ts';
import type { Effort } from './effort.ts';
import { importAll, makeImporter } from './import.ts';
import { assertOk } from './scenarios.ts';
import { median } from './statistics.ts';
import type { TeamPlan } from './team-data.ts';
import type { Step } from './team-load.ts';
import { startWorker, type Worker } from './worker.ts';

/** How many requests a second a team gets answered, against those for one product in the same minute. */

export interface TeamRate {
  readonly name: string;
  /** The least share of the rate of GET of one product that is wanted; null for that one. */
  readonly target: number | null;
  readonly alone: Rate;
  readonly together: Rate;
}

/** Medians of the rounds. */
export interface Rate {
  readonly perSecond: number;
  /** Of the rate of GET of one product in the same round. */
  readonly share: number;
}

export interface TeamRates {
  readonly rates: readonly TeamRate[];
  /** What GET of one product gains by many callers, the median of the rounds. */
  readonly gain: number;
  /** Of 10,000 rows, until they are there. */
  readonly importSeconds: number;
}

interface Operation extends Pick<TeamRate, 'name' | 'target'> {
  /** Each caller works in a project of its own. */
  readonly steps: (projectId: string) => readonly Step[];
}

const TOGETHER = 16;

const TIMES: Readonly<Record<Effort, { rounds: number; warmUpSeconds: number; seconds: number }>> = {
  sample: { rounds: 1, warmUpSeconds: 0.5, seconds: 0.5 },
  full: { rounds: 3, warmUpSeconds: 1.5, seconds: 5 },
};

/** A month of the team's work that is neither the first nor the last, nor in the middle of it. */
export const MONTH = { dateFrom: '2025-06-01', dateTo: '2025-06-30' };
export const ALL = { dateFrom: '2000-01-01', dateTo: '2099-12-31' };

/** Before all other work: no list that is measured begins with what is created meanwhile. */
export const NEW_ENTRY = { description: 'New work', durationMinutes: 60, entryDate: '2020-01-06' };

export async function measureRates(
  cloud: Cloud,
  callers: readonly Caller[],
  plan: TeamPlan,
  effort: Effort,
): Promise<TeamRates> {
  const { reads, writes } = await operationsOf(callers, plan);
  const worker = startWorker(join(import.meta.dirname, 'team-load.ts'));
  try {
    const measure = new Rounds(worker, cloud.url, callers, effort);
    // Timers book work of today, with which every list would begin: hence all reads come first.
    const read = await measure.run(reads);
    const written = await measure.run(writes);
    const [product] = read;
    if (!product) throw new Error('Nothing was read.');
    return {
      rates: [...read, ...written.slice(1)].map(rateOf),
      gain: median(product.together.map(({ perSecond }, round) => perSecond / (product.alone[round]?.perSecond ?? 0))),
      importSeconds: await importSeconds(cloud, TIMES[effort].rounds),
    };
  } finally {
    await worker.end();
  }
}

async function operationsOf([caller]: readonly Caller[], { entries }: TeamPlan) {
  const listed = caller && assertOk(await caller.call('listProducts'));
  const product = get('GET of one product', null, 'getProduct', { params: { id: listed?.body.data[0].id } });
  const reads: Operation[] = [
    product,
    get('list of 100 entries', 0.3, 'listEntries', { query: { limit: '100' } }),
    get('deep list of 100', 0.3, 'listEntries', { query: { limit: '100', offset: String(entries / 2) } }),
    get('page of 50 products', 0.45, 'listProducts', {}),
    get('search of products', 0.2, 'searchProducts', { query: PRODUCT_SEARCH }),
    get("month's summary", 0.2, 'summarizeEntries', { query: MONTH }),
    get('summary of all', 0.1, 'summarizeEntries', { query: ALL }),
  ];
  const create: Operation = {
    name: 'create an entry in a project',
    target: 0.35,
    steps: (projectId) => [stepOf('createEntry', { body: { ...NEW_ENTRY, projectId } })],
  };
  const timer: Operation = {
    name: 'timer pair (start, stop)',
    target: 0.17,
    steps: (projectId) => [
      stepOf('startTimer', { body: { projectId } }),
      stepOf('stopTimer', { params: { sessionId: '{id}' } }),
    ],
  };
  return { reads, writes: [product, create, timer] };
}

/** Eleven of the thousand. */
export const PRODUCT_SEARCH = { q: 'product 77' };

function get(name: string, target: number | null, operationId: string, input: Input): Operation {
  const step = stepOf(operationId, input);
  return { name, target, steps: () => [step] };
}

function stepOf(operationId: string, { params, query, body }: Input): Step {
  const { method, path } = endpointOf(operationId);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return { method, path: filledPath(path, params) + search, body };
}

interface Measured extends Operation {
  /** Of each round. */
  readonly alone: Rate[];
  readonly together: Rate[];
}

/** Operations take turns, so that a busy moment does not decide about one of them. */
class Rounds {
  readonly #worker: Worker;
  readonly #url: string;
  readonly #callers: readonly Caller[];
  readonly #effort: Effort;

  constructor(worker: Worker, url: string, callers: readonly Caller[], effort: Effort) {
    this.#worker = worker;
    this.#url = url;
    this.#callers = callers;
    this.#effort = effort;
  }

  /** The first operation is the one that the others are held against. */
  async run(operations: readonly Operation[]): Promise<Measured[]> {
    const measured: Measured[] = operations.map((operation) => ({ ...operation, alone: [], together: [] }));
    for (let round = 0; round < TIMES[this.#effort].rounds; round++) {
      for (const [key, callers] of [['alone', 1] as const, ['together', TOGETHER] as const]) {
        let ofProduct: number | undefined;
        for (const operation of measured) {
          const perSecond = await this.#perSecond(operation, callers);
          ofProduct ??= perSecond;
          operation[key].push({ perSecond, share: perSecond / ofProduct });
          console.log(`  ${operation.name}, ${callers} callers: ${perSecond.toFixed(1)} a second`);
        }
      }
    }
    return measured;
  }

  async #perSecond({ steps }: Operation, count: number): Promise<number> {
    const callers = this.#callers
      .slice(0, count)
      .map(({ apiKey, projectIds }, i) => ({ apiKey, steps: steps(projectIds[i] ?? '') }));
    return v.parse(v.number(), await this.#worker.ask({ url: this.#url, ...TIMES[this.#effort], callers }));
  }
}

function rateOf({ name, target, alone, together }: Measured): TeamRate {
  return { name, target, alone: middleOf(alone), together: middleOf(together) };
}

function middleOf(rates: readonly Rate[]): Rate {
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    share: median(rates.map(({ share }) => share)),
  };
}

async function importSeconds(cloud: Cloud, rounds: number): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) seconds.push(await importAll(cloud, await makeImporter(cloud)));
  return median(seconds);
}
