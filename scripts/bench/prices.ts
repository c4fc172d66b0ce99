import { endpointFunction } from '#infra/functions.ts';
import { endpointOf } from './caller.ts';
import type { OperationFigures } from './operations.ts';

/**
 * Public list prices in us-east-1 in US dollars, as known in November 2024, without free tiers, taxes and data
 * transfer. Check them against the price lists before you rely on them.
 */
export const PRICES = {
  asOf: '2024-11',
  region: 'us-east-1',
  /** DynamoDB on demand, standard table class, after the price cut of November 2024. */
  millionWriteUnits: 0.625,
  millionReadUnits: 0.125,
  /** On arm64. */
  lambdaGigabyteSecond: 0.0000133334,
  millionLambdaRequests: 0.2,
  millionHttpApiRequests: 1,
  millionFifoMessages: 0.5,
  millionKmsRequests: 3,
  /** Ingested by CloudWatch, not stored. */
  logGigabyte: 0.5,
  /** From here on prices are by the month. CloudWatch counts an alarm for each metric that the alarm looks at. */
  alarmMetric: 0.1,
  customMetric: 0.3,
  dashboard: 3,
  kmsKey: 1,
};

/** Not measured here: assumed for every request. */
export const ASSUMED = {
  /**
   * A request's log line takes 0.29 and its metric 0.25, as measured. The gateway's line and Lambda's own
   * lines take about 0.95.
   */
  logKilobytes: 1.49,
  /** A thousand requests of one warm function take 15 units, as the capacity test shows. */
  leaseWriteUnits: 0.015,
  /**
   * Lambda's time besides the round trips to the table. If the operation took longer on this machine,
   * the longer time counts.
   */
  computeMilliseconds: 5,
  roundTripMilliseconds: 15,
};

/** What a request uses. */
export interface Usage {
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueCalls: number;
  readonly kmsCalls: number;
  /** The time that the request took on this machine. */
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
  /** Whether the operation asks for a key, and so pays for a lease of rate-limit tokens. */
  readonly isAuthenticated: boolean;
}

/** US dollars for a million such requests. */
interface Price {
  /** What any request costs: the gateway, the start of the function, logs and authentication. */
  readonly request: number;
  readonly table: number;
  readonly compute: number;
  /** Messages and calls of the key service. */
  readonly others: number;
  readonly total: number;
}

export function priceOf(usage: Usage): Price {
  const request = requestPrice(usage.isAuthenticated);
  const table = tablePrice(usage);
  const compute = computePrice(usage);
  const others = usage.queueCalls * PRICES.millionFifoMessages + usage.kmsCalls * PRICES.millionKmsRequests;
  return { request, table, compute, others, total: request + table + compute + others };
}

/** The price of a million requests of a measured operation. */
export function priceOfOperation({ operationId, cost, alone }: OperationFigures): Price {
  const endpoint = endpointOf(operationId);
  const { memoryMegabytes, authenticates } = endpointFunction(endpoint);
  return priceOf({ ...cost, milliseconds: alone.p50Milliseconds, memoryMegabytes, isAuthenticated: authenticates });
}

/** What a million requests cost before they do anything. */
function requestPrice(isAuthenticated: boolean): number {
  return (
    PRICES.millionHttpApiRequests +
    PRICES.millionLambdaRequests +
    ASSUMED.logKilobytes * PRICES.logGigabyte +
    (isAuthenticated ? ASSUMED.leaseWriteUnits * PRICES.millionWriteUnits : 0)
  );
}

/** The price of these units, a million times. */
function tablePrice({ readUnits, writeUnits }: Pick<Usage, 'readUnits' | 'writeUnits'>): number {
  return readUnits * PRICES.millionReadUnits + writeUnits * PRICES.millionWriteUnits;
}

function computePrice({ roundTrips, milliseconds, memoryMegabytes }: Usage): number {
  const assumed = ASSUMED.computeMilliseconds + roundTrips * ASSUMED.roundTripMilliseconds;
  const billed = Math.max(assumed, Math.ceil(milliseconds));
  return lambdaPrice({ milliseconds: billed, memoryMegabytes });
}

/** The price of these milliseconds, a million times. */
function lambdaPrice({ milliseconds, memoryMegabytes }: Pick<Usage, 'milliseconds' | 'memoryMegabytes'>): number {
  return (memoryMegabytes / 1_024) * milliseconds * 1_000 * PRICES.lambdaGigabyteSecond;
}
