/**
 * Public list prices in us-east-1, US dollars, as known in November 2024, without free tiers, taxes, data transfer and logs. They are to be
 * checked against the price lists before anybody counts on them.
 */
export const PRICES = {
  asOf: '2024-11',
  region: 'us-east-1',
  /** DynamoDB on demand, standard table class, after the cut of that month. */
  millionWriteUnits: 0.625,
  millionReadUnits: 0.125,
  /** On arm64. */
  lambdaGigabyteSecond: 0.0000133334,
  millionLambdaRequests: 0.2,
  millionHttpApiRequests: 1,
  millionFifoMessages: 0.5,
  millionKmsRequests: 3,
};

/** What a request uses that is paid for, but for the gateway's and Lambda's price of any request. */
export interface Usage {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueCalls: number;
  readonly kmsCalls: number;
  readonly lambdaMilliseconds: number;
  readonly memoryMegabytes: number;
}

/** US dollars for a million such requests. */
export function millionPrice(usage: Usage): number {
  const gigabyteSeconds = (usage.memoryMegabytes / 1_024) * (Math.ceil(usage.lambdaMilliseconds) / 1_000);
  return (
    PRICES.millionHttpApiRequests +
    PRICES.millionLambdaRequests +
    gigabyteSeconds * 1_000_000 * PRICES.lambdaGigabyteSecond +
    usage.writeUnits * PRICES.millionWriteUnits +
    usage.readUnits * PRICES.millionReadUnits +
    usage.queueCalls * PRICES.millionFifoMessages +
    usage.kmsCalls * PRICES.millionKmsRequests
  );
}
