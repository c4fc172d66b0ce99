import { endpointFunction } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { type Caller, makeCaller } from './caller.ts';
import type { Effort } from './effort.ts';
import { callsOf, costOf, metered, type OperationCost, untilQuiet } from './meter.ts';
import { furnish, perform, type Scenario, scenarioOf } from './scenarios.ts';
import { median, percentile } from './statistics.ts';

/**
 * What each operation of the route table costs and how fast it is. The deployed function of the operation
 * runs on the local cloud.
 */

export interface OperationFigures {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly cost: OperationCost;
  readonly alone: Speed;
  readonly together: Speed;
}

interface Speed {
  readonly callers: number;
  readonly requests: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** Requests a second, if callers did nothing but wait for answers. */
  readonly throughput: number;
}

/** An operation that could not be measured, and why. */
interface Unmeasured {
  readonly operationId: string;
  readonly reason: string;
}

export interface OperationsReport {
  readonly measured: readonly OperationFigures[];
  readonly unmeasured: readonly Unmeasured[];
}

const TOGETHER = 16;

/** A busy organization, with smaller ones beside it: concurrent callers are then callers of several tenants. */
const PAST = { entries: 100_000, days: 365, projects: 10, until: '2026-01-01' };
const PAST_OF_OTHERS = { entries: 1_000, days: 365, projects: 5, until: '2026-01-01' };

/** How many products, clients and invoices each organization has. */
const FURNISHED: Readonly<Record<Effort, number>> = { sample: 5, full: 50 };

export async function measureOperations(cloud: Cloud, effort: Effort): Promise<OperationsReport> {
  const callers = [await makeCaller(cloud, effort === 'sample' ? PAST_OF_OTHERS : PAST)];
  while (callers.length < TOGETHER) callers.push(await makeCaller(cloud, PAST_OF_OTHERS));
  await Promise.all(callers.map((caller) => furnish(caller, FURNISHED[effort])));
  const measured: OperationFigures[] = [];
  const unmeasured: Unmeasured[] = [];
  for (const [position, endpoint] of routes.entries()) {
    console.log(`  ${position + 1} of ${routes.length}: ${endpoint.operationId}`);
    await untilQuiet(cloud);
    try {
      measured.push(await measureOperation(cloud, callers, endpoint, effort));
    } catch (error) {
      unmeasured.push({ operationId: endpoint.operationId, reason: error instanceof Error ? error.message : 'failed' });
    }
  }
  return { measured, unmeasured };
}

/** The 99th percentile of a single caller is its second slowest request. */
const REQUESTS = {
  short: { warmUp: 3, alone: 100, eachTogether: 12 },
  long: { warmUp: 1, alone: 20, eachTogether: 4 },
  sample: { warmUp: 1, alone: 3, eachTogether: 1 },
};

async function measureOperation(
  cloud: Cloud,
  callers: readonly Caller[],
  endpoint: Endpoint,
  effort: Effort,
): Promise<OperationFigures> {
  const scenario = scenarioOf(endpoint);
  const isShort = scenario.isShort ?? true;
  const requests = REQUESTS[effort === 'sample' ? 'sample' : isShort ? 'short' : 'long'];
  const [first] = callers;
  if (!first) throw new Error('Nobody calls.');
  await load([first], endpoint, scenario, requests.warmUp);
  const cost = await costOfOperation(cloud, first, endpoint, scenario);
  const alone = speedOf(1, await load([first], endpoint, scenario, requests.alone));
  await load(callers, endpoint, scenario, 1);
  const together = speedOf(TOGETHER, await load(callers, endpoint, scenario, requests.eachTogether));
  const { operationId, method, path } = endpoint;
  return { operationId, method, path, cost, alone, together };
}

/**
 * Each caller sends one request after the other.
 *
 * @returns the milliseconds of all requests
 */
async function load(
  callers: readonly Caller[],
  endpoint: Endpoint,
  scenario: Scenario,
  requestsOfEach: number,
): Promise<number[]> {
  const lanes = callers.map(async (caller) => {
    const times: number[] = [];
    for (let i = 0; i < requestsOfEach; i++) times.push(await perform(caller, endpoint, scenario));
    return times;
  });
  return (await Promise.all(lanes)).flat();
}

function speedOf(callers: number, times: readonly number[]): Speed {
  const waited = times.reduce((sum, time) => sum + time, 0);
  return {
    callers,
    requests: times.length,
    p50Milliseconds: median(times),
    p99Milliseconds: percentile(times, 0.99),
    throughput: (callers * times.length * 1_000) / waited,
  };
}

/**
 * Measures the last request that the function answered: earlier requests to the same function may have prepared the
 * scene. Calls are held up. So calls that are sent side by side overlap, even if a busy machine delays their arrival.
 */
export async function costOfOperation(
  cloud: Cloud,
  by: Caller,
  endpoint: Endpoint,
  scenario: Scenario,
  holdUpMilliseconds?: number,
): Promise<OperationCost> {
  const { name } = endpointFunction(endpoint);
  const request = () => perform(by, endpoint, scenario);
  const calls = callsOf(await metered(cloud, request, name, holdUpMilliseconds), name);
  const own = calls.filter(({ requestId }) => requestId === calls.at(-1)?.requestId);
  return costOf(own);
}
