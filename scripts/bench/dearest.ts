import { endpointFunction } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { routes } from '#shared/routes.ts';
import { type Caller, callerOf, makeCaller, type Reply } from './caller.ts';
import { DESCRIPTION, type Dearest, dearestRequests, enrich, RICHES } from './dearest-requests.ts';
import type { Effort } from './effort.ts';
import { markdownTable } from './markdown.ts';
import { costOf, type MeteredCall, metered, untilQuiet } from './meter.ts';
import { priceOf } from './prices.ts';
import { assertOk } from './scenarios.ts';

/**
 * What the dearest request of each operation costs, with what it leaves to workers, and how many of them a key of the
 * default rate limit can make in a minute.
 */

export interface DearestFigures {
  readonly operationId: string;
  readonly what: string;
  /** Tokens of the rate limit; undefined where no key is needed. */
  readonly weight?: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of the functions, workers included. */
  readonly processorMilliseconds: number;
  readonly dollars: number;
}

const PAST = { days: 365, projects: 10, until: '2026-01-01' };

export async function measureDearest(cloud: Cloud, effort: Effort): Promise<DearestFigures[]> {
  const riches = RICHES[effort];
  const by = await makeCaller(cloud, { ...PAST, entries: riches.entries, description: DESCRIPTION });
  await enrich(by, riches);
  const requests = dearestRequests(riches);
  const figures: DearestFigures[] = [];
  for (const [position, endpoint] of routes.entries()) {
    const { operationId } = endpoint;
    console.log(`  ${position + 1} of ${routes.length}: ${operationId}`);
    const dearest = requests[operationId];
    if (!dearest) throw new Error(`scripts/bench/dearest-requests.ts has none of ${operationId}.`);
    figures.push(await measureOne(cloud, by, endpoint, dearest));
  }
  return figures;
}

async function measureOne(cloud: Cloud, by: Caller, endpoint: Endpoint, { what, scenario }: Dearest) {
  // The first one warms the function up.
  for (const isMeasured of [false, true]) {
    const input = await scenario.input(by);
    await untilQuiet(cloud);
    const caller = await callerOf(cloud, by, DEFAULT_RATE_LIMIT);
    const before = cloud.functionMilliseconds();
    let reply: Reply | undefined;
    const calls = await metered(cloud, async () => {
      reply = assertOk(await caller.call(endpoint.operationId, input));
      await untilQuiet(cloud);
    });
    if (reply) await scenario.after?.(by, reply);
    if (isMeasured && reply) return figuresOf(endpoint, what, reply, calls, cloud.functionMilliseconds() - before);
  }
  throw new Error(`${endpoint.operationId} was not measured.`);
}

function figuresOf(
  endpoint: Endpoint,
  what: string,
  { headers }: Reply,
  calls: readonly MeteredCall[],
  processorMilliseconds: number,
): DearestFigures {
  const { memoryMegabytes, authenticates } = endpointFunction(endpoint);
  const cost = costOf(calls);
  const left = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
  const price = priceOf({
    ...cost,
    milliseconds: processorMilliseconds,
    memoryMegabytes,
    isAuthenticated: authenticates,
  });
  return {
    operationId: endpoint.operationId,
    what,
    ...(left !== undefined && { weight: DEFAULT_RATE_LIMIT - Number(left) }),
    readUnits: cost.readUnits,
    writeUnits: cost.writeUnits,
    processorMilliseconds,
    dollars: price.total / 1_000_000,
  };
}

const WANTED_CENTS = 1;

/** As Markdown. */
export function dearestText(all: readonly DearestFigures[]): string {
  const rows = all.map((figures) => ({ ...figures, ...ofAMinute(figures) }));
  const over = rows.filter(({ cents = 0 }) => cents > WANTED_CENTS).map(({ operationId }) => `\`${operationId}\``);
  return [
    `The dearest request of each operation that we know how to make, with what it leaves to workers. Requests a minute are of a key of the default limit of ${DEFAULT_RATE_LIMIT}, by the weight that the service has charged. The time of the processor is that of the function and of the workers.`,
    `Wanted: at most ${WANTED_CENTS} cent a minute. More: ${over.length > 0 ? over.join(', ') : 'none'}.`,
    markdownTable(
      [
        'operation',
        'dear by',
        'weight',
        'a minute',
        'read units',
        'write units',
        'processor ms',
        '$',
        'cents a minute',
      ],
      rows.map(
        ({ operationId, what, weight, readUnits, writeUnits, processorMilliseconds, dollars, requests, cents }) => [
          `\`${operationId}\``,
          what,
          weight === undefined ? '' : String(weight),
          requests === undefined ? '' : String(requests),
          readUnits.toFixed(0),
          writeUnits.toFixed(0),
          processorMilliseconds.toFixed(0),
          dollars.toFixed(6),
          cents === undefined ? '' : cents.toFixed(3),
        ],
      ),
    ),
  ].join('\n\n');
}

/** Nothing for an operation that needs no key: only the limit of the whole stage bounds it. */
function ofAMinute({ weight, dollars }: DearestFigures) {
  if (weight === undefined) return {};
  const requests = Math.floor(DEFAULT_RATE_LIMIT / weight);
  return { requests, cents: requests * dollars * 100 };
}
