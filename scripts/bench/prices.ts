/**
 * Public list prices in us-east-1 in US dollars, as known in November 2024, without free tiers and taxes. Check them against the price lists before you rely on them.
 */
export const PRICES = {
  /** DynamoDB on demand, standard table class, after the price cut of November 2024. */
  millionWriteUnits: 0.625,
  millionReadUnits: 0.125,
  /** On arm64. */
  lambdaGigabyteSecond: 0.0000133334,
  millionLambdaRequests: 0.2,
  millionHttpApiRequests: 1,
  /** Each begun 64 KB of a message is one. */
  millionFifoRequests: 0.5,
  /** To the internet, the first ten terabytes of a month. */
  dataOutGigabyte: 0.09,
  millionKmsRequests: 3,
  /** Ingested by CloudWatch, not stored. */
  logGigabyte: 0.5,
  /** From here on prices are by the month. CloudWatch counts an alarm for each metric that the alarm looks at. */
  alarmMetric: 0.1,
  customMetric: 0.3,
  dashboard: 3,
  kmsKey: 1,
  /** Of a table, by AWS Backup. */
  backupGigabyte: 0.1,
  coldBackupGigabyte: 0.03,
};

/** Not measured here: assumed for every request. */
export const ASSUMED = {
  /** A request's log line takes 0.29 and its metric 0.25, as measured, and the gateway's line about 0.31. */
  logKilobytes: 0.85,
  /** Gzipped, with its headers. */
  answerKilobytes: 2,
  /** Lambda's own start, and that of Node.js. Lambda bills it, with the loading of the bundle, since August 2025. */
  startMilliseconds: 100,
  /** Of requests, that start an instance. The metric `ColdStarts` tells it. */
  coldShare: 0.05,
  /** A thousand requests of one warm function take 15 units of each, as the capacity test shows. */
  leaseWriteUnits: 0.015,
  leaseReadUnits: 0.015,
  /**
   * Lambda's time besides the round trips to the table. If the operation took longer on this machine,
   * the longer time counts.
   */
  computeMilliseconds: 5,
  roundTripMilliseconds: 15,
};

export interface Usage {
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueRequests: number;
  readonly kmsCalls: number;
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
  /** Whether the operation asks for a key, and so pays for a lease of rate-limit tokens. */
  readonly isAuthenticated: boolean;
  /** If it is not usual. */
  readonly answerKilobytes?: number;
}

/** US dollars for a million such requests */
export interface Price {
  readonly beginning: number;
  readonly compute: number;
  readonly table: number;
  /** Of queues, with the calls of the key service. */
  readonly messages: number;
}

export function partsOf(usage: Usage): Price {
  return {
    beginning: beginningPrice(usage),
    compute: computePrice(usage),
    table: tablePrice(usage),
    messages: usage.queueRequests * PRICES.millionFifoRequests + usage.kmsCalls * PRICES.millionKmsRequests,
  };
}

export const total = ({ beginning, compute, table, messages }: Price) => beginning + compute + table + messages;

/** @returns US dollars for a million such requests */
export function priceOf(usage: Usage): number {
  return total(partsOf(usage));
}

/** The price of requests whatever they do: the gateway, the call of the function, logs, the answer and authentication. */
function beginningPrice({ isAuthenticated, answerKilobytes = ASSUMED.answerKilobytes }: Usage): number {
  return (
    PRICES.millionHttpApiRequests +
    PRICES.millionLambdaRequests +
    ASSUMED.logKilobytes * PRICES.logGigabyte +
    answerKilobytes * PRICES.dataOutGigabyte +
    (isAuthenticated ? tablePrice({ readUnits: ASSUMED.leaseReadUnits, writeUnits: ASSUMED.leaseWriteUnits }) : 0)
  );
}

/** Lambda gives a whole processor from here on, and a second one can do nothing for a thread of JavaScript. */
const MEGABYTES_OF_A_PROCESSOR = 1_769;

/** The time of a request in a function of this size: of the processor, and of the calls that it waits for. */
export function requestMilliseconds(processor: number, roundTrips: number, megabytes: number): number {
  return (
    (processor * MEGABYTES_OF_A_PROCESSOR) / Math.min(megabytes, MEGABYTES_OF_A_PROCESSOR) +
    roundTrips * ASSUMED.roundTripMilliseconds
  );
}

/** @param loadMilliseconds of the bundle @returns US dollars for a million instances that start */
export function startPrice(loadMilliseconds: number, memoryMegabytes: number): number {
  const seconds = (ASSUMED.startMilliseconds + loadMilliseconds) / 1_000;
  return (memoryMegabytes / 1_024) * seconds * 1_000_000 * PRICES.lambdaGigabyteSecond;
}

function tablePrice({ readUnits, writeUnits }: Pick<Usage, 'readUnits' | 'writeUnits'>): number {
  return readUnits * PRICES.millionReadUnits + writeUnits * PRICES.millionWriteUnits;
}

function computePrice({ roundTrips, milliseconds, memoryMegabytes }: Usage): number {
  const assumed = ASSUMED.computeMilliseconds + roundTrips * ASSUMED.roundTripMilliseconds;
  const billed = Math.max(assumed, Math.ceil(milliseconds));
  return (memoryMegabytes / 1_024) * billed * 1_000 * PRICES.lambdaGigabyteSecond;
}
