import { markdownTable } from './markdown.ts';
import { ASSUMED, PRICES } from './prices.ts';

/** What time and money the memory of a function comes to: with it Lambda gives a share of a processor. */

/** Lambda gives a whole processor from here on, and a second one can do nothing for a thread of JavaScript. */
const MEGABYTES_OF_A_PROCESSOR = 1_769;

const SIZES = [256, 512, 1_024, MEGABYTES_OF_A_PROCESSOR];

/** The table, queues and the key service are asked for this. */
export interface Asked {
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueRequests: number;
  readonly kmsCalls: number;
}

/** Milliseconds are of the processor of this machine. */
export interface Measured extends Asked {
  readonly operation: string;
  readonly memoryMegabytes: number;
  readonly load: number;
  readonly first: number;
  readonly next: number;
}

/** The time of a request in a function of this size: of the processor, and of the calls that it waits for. */
export function requestMilliseconds(processor: number, roundTrips: number, megabytes: number): number {
  return (
    (processor * MEGABYTES_OF_A_PROCESSOR) / Math.min(megabytes, MEGABYTES_OF_A_PROCESSOR) +
    roundTrips * ASSUMED.roundTripMilliseconds
  );
}

function cell({ load, first, next, roundTrips }: Measured, megabytes: number): string {
  const cold = load + requestMilliseconds(first, roundTrips, megabytes);
  const warm = requestMilliseconds(next, roundTrips, megabytes);
  const millionDollars = (megabytes / 1_024) * warm * 1_000 * PRICES.lambdaGigabyteSecond;
  return `${cold.toFixed(0)}, ${warm.toFixed(0)} ms, ${millionDollars.toFixed(2)}`;
}

export function memoryTable(measured: readonly Measured[]): string {
  const head = ['operation', ...SIZES.map((size) => `${size.toLocaleString('en')} MB`), 'it has'];
  const rows = measured.map((each) => [
    each.operation,
    ...SIZES.map((size) => cell(each, size)),
    each.memoryMegabytes.toLocaleString('en'),
  ]);
  return [
    `By memory, reckoned from that: the time of a function from its start to its first answer, and of a warm one, and US dollars for a million warm requests. A function of M MB has M/${MEGABYTES_OF_A_PROCESSOR} of a processor, and a whole one while it loads. Each round trip to the table is assumed to take ${ASSUMED.roundTripMilliseconds} ms, and a processor of Lambda to be as fast as one here. A GB-second costs ${PRICES.lambdaGigabyteSecond} (list price of November 2024, to be checked).`,
    markdownTable(head, rows),
  ].join('\n\n');
}
