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
import type { Load, Step } from './team-load.ts';
import { startWorker, type Worker } from './worker.ts';

/** How many requests a second a team gets answered, compared with requests for one product at the same moment. */

export interface TeamRate {
  readonly name: string;
  /** The least acceptable share of the rate of GET of one product. */
  readonly target: number;
  readonly alone: Rate;
  readonly together: Rate;
}

/** Medians of the rounds. */
interface Rate {
  readonly perSecond: number;
  /** The rate, divided by the rate of GET of one product just before. */
  readonly share: number;
}

export interface TeamRates {
  /** Answers to GET of one product, a second: the medians, and the median of the gain by many callers. */
  readonly product: { readonly alone: number; readonly together: number; readonly gain: number };
  readonly rates: readonly TeamRate[];
  /** For 10,000 rows, until all are imported. */
  readonly importSeconds: number;
}

/** What each caller sends, again and again. Callers that write have a project each. */
type Steps = (projectId: string) => readonly Step[];

interface Operation extends Pick<TeamRate, 'name' | 'target'> {
  readonly steps: Steps;
}

interface Times extends Pick<Load, 'warmUpSeconds' | 'seconds'> {}

const TIMES: Readonly<Record<Effort, { rounds: number; product: Times; operation: Times }>> = {
  sample: {
    rounds: 1,
    product: { warmUpSeconds: 0.2, seconds: 0.5 },
    operation: { warmUpSeconds: 0.5, seconds: 0.5 },
  },
  full: { rounds: 3, product: { warmUpSeconds: 0.5, seconds: 2 }, operation: { warmUpSeconds: 1.5, seconds: 5 } },
};

/** A month of the team's work that is not the first, the last or in the middle. */
export const MONTH = { dateFrom: '2025-06-01', dateTo: '2025-06-30' };
export const ALL = { dateFrom: '2000-01-01', dateTo: '2099-12-31' };

/** Before all other work: then no measured list begins with entries that are created meanwhile. */
export const NEW_ENTRY = { description: 'New work', durationMinutes: 60, entryDate: '2020-01-06' };

export async function measureRates(
  cloud: Cloud,
  callers: readonly Caller[],
  plan: TeamPlan,
  effort: Effort,
): Promise<TeamRates> {
  const [caller] = callers;
  const listed = caller && assertOk(await caller.call('listProducts'));
  const product = get('getProduct', { params: { id: listed?.body.data[0].id } });
  const worker = startWorker(join(import.meta.dirname, 'team-load.ts'));
  try {
    const rounds = new Rounds(worker, cloud.url, callers, product, effort);
    // Timers book work of today, and every list would begin with that work. So all reads come first.
    const rates = [...(await rounds.run(readsOf(plan))), ...(await rounds.run(writes))];
    const imports: number[] = [];
    while (imports.length < TIMES[effort].rounds) imports.push(await importAll(cloud, await makeImporter(cloud)));
    return { product: rounds.ofProduct(), rates, importSeconds: median(imports) };
  } finally {
    await worker.end();
  }
}

function readsOf({ entries }: TeamPlan): Operation[] {
  const deep = { limit: '100', offset: String(entries / 2) };
  return [
    { name: 'list of 100 entries', target: 0.3, steps: get('listEntries', { query: { limit: '100' } }) },
    { name: 'deep list of 100', target: 0.3, steps: get('listEntries', { query: deep }) },
    { name: 'page of 50 products', target: 0.45, steps: get('listProducts', { query: { limit: '50' } }) },
    { name: 'search of products', target: 0.2, steps: get('searchProducts', { query: PRODUCT_SEARCH }) },
    { name: "month's summary", target: 0.2, steps: get('summarizeEntries', { query: MONTH }) },
    { name: 'summary of all', target: 0.1, steps: get('summarizeEntries', { query: ALL }) },
  ];
}

const writes: readonly Operation[] = [
  {
    name: 'create an entry in a project',
    target: 0.35,
    steps: (projectId) => [stepOf('createEntry', { body: { ...NEW_ENTRY, projectId } })],
  },
  {
    name: 'timer pair (start, stop)',
    target: 0.17,
    steps: (projectId) => [
      stepOf('startTimer', { body: { projectId } }),
      stepOf('stopTimer', { params: { sessionId: '{id}' } }),
    ],
  },
];

/** Eleven of the thousand products match. */
export const PRODUCT_SEARCH = { q: 'product 77' };

function get(operationId: string, input: Input): Steps {
  const step = stepOf(operationId, input);
  return () => [step];
}

function stepOf(operationId: string, { params, query, body }: Input): Step {
  const { method, path } = endpointOf(operationId);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return { method, path: filledPath(path, params) + search, body };
}

const CALLERS = { alone: 1, together: 16 } as const;

/**
 * Operations take turns, each right after GET of one product: a busy moment then does not distort just one of them.
 */
class Rounds {
  readonly #worker: Worker;
  readonly #url: string;
  readonly #callers: readonly Caller[];
  readonly #product: Steps;
  readonly #effort: Effort;
  readonly #ofProduct = { alone: [] as number[], together: [] as number[] };

  constructor(worker: Worker, url: string, callers: readonly Caller[], product: Steps, effort: Effort) {
    this.#worker = worker;
    this.#url = url;
    this.#callers = callers;
    this.#product = product;
    this.#effort = effort;
  }

  async run(operations: readonly Operation[]): Promise<TeamRate[]> {
    const measured = operations.map((operation) => ({ operation, alone: [] as Rate[], together: [] as Rate[] }));
    for (let round = 0; round < TIMES[this.#effort].rounds; round++) {
      for (const { operation, alone, together } of measured) {
        alone.push(await this.#rateOf(operation, 'alone'));
        together.push(await this.#rateOf(operation, 'together'));
      }
    }
    return measured.map(({ operation: { name, target }, alone, together }) => {
      return { name, target, alone: middleOf(alone), together: middleOf(together) };
    });
  }

  ofProduct(): TeamRates['product'] {
    const { alone, together } = this.#ofProduct;
    const gains = together.map((perSecond, i) => perSecond / (alone[i] ?? Number.NaN));
    return { alone: median(alone), together: median(together), gain: median(gains) };
  }

  async #rateOf({ name, steps }: Operation, who: keyof typeof CALLERS): Promise<Rate> {
    const { product, operation } = TIMES[this.#effort];
    const ofProduct = await this.#perSecond(this.#product, CALLERS[who], product);
    this.#ofProduct[who].push(ofProduct);
    const perSecond = await this.#perSecond(steps, CALLERS[who], operation);
    console.log(`  ${name}, ${who}: ${perSecond.toFixed(1)} a second, of one product ${ofProduct.toFixed(1)}`);
    return { perSecond, share: perSecond / ofProduct };
  }

  async #perSecond(steps: Steps, count: number, times: Times): Promise<number> {
    const callers = this.#callers
      .slice(0, count)
      .map(({ apiKey, projectIds }, i) => ({ apiKey, steps: steps(projectIds[i] ?? '') }));
    const load: Load = { url: this.#url, ...times, callers };
    return v.parse(v.number(), await this.#worker.ask(load));
  }
}

function middleOf(rates: readonly Rate[]): Rate {
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    share: median(rates.map(({ share }) => share)),
  };
}
