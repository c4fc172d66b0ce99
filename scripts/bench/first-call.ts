import { markdownTable } from './markdown.ts';
import { type Measured, memoryTable } from './memory.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { median } from './statistics.ts';
import type { Round } from './team-calls.ts';
import { functionOf } from './team-month.ts';

/**
 * The processor time that a function takes for its first request, once it has started, and for the next one, with what
 * that asks of the table, of queues and of the key service.
 */

const FULL_ROUNDS = 5;

/** @param loads by the name of the function, the processor time that it takes to load */
export async function measureFirstCalls(loads: ReadonlyMap<string, number>, isSample: boolean): Promise<string> {
  const rounds = isSample ? 1 : FULL_ROUNDS;
  const calls = await onScratchCloud(async (cloud) => {
    const { callsOfTeam } = await import('./team-calls.ts');
    return callsOfTeam(cloud, rounds);
  });
  const measured = [...calls].map(([operation, ofOperation]) => medians(operation, loads, ofOperation));
  return [
    `Processor time of requests, medians of ${rounds} functions that have just started, and what the next request asks of the table (round trips and units), of queues (by 64 KB, until the message is deleted) and of the key service. The organization is small: 300 entries and a month of 100 more, 200 products, 100 clients. \`syncConnection\` is a scheduled sync that finds nothing new, with the schedule that queues it.`,
    markdownTable(
      ['operation', 'first, ms', 'next, ms', 'round trips', 'reads', 'writes', 'requests of queues', 'keys'],
      measured.map(rowOf),
    ),
    memoryTable(measured),
  ].join('\n\n');
}

function medians(operation: string, loads: ReadonlyMap<string, number>, rounds: readonly Round[]): Measured {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  const { name, memoryMegabytes } = functionOf(operation);
  return {
    operation,
    memoryMegabytes,
    load: loads.get(name) ?? Number.NaN,
    first: of(({ first }) => first),
    next: of(({ next }) => next),
    roundTrips: of(({ roundTrips }) => roundTrips),
    readUnits: of(({ readUnits }) => readUnits),
    writeUnits: of(({ writeUnits }) => writeUnits),
    queueRequests: of(({ queueRequests }) => queueRequests),
    kmsCalls: of(({ kmsCalls }) => kmsCalls),
  };
}

function rowOf({
  operation,
  first,
  next,
  roundTrips,
  readUnits,
  writeUnits,
  queueRequests,
  kmsCalls,
}: Measured): string[] {
  const counts = [roundTrips, readUnits, writeUnits, queueRequests, kmsCalls];
  return [operation, first.toFixed(1), next.toFixed(1), ...counts.map(String)];
}
