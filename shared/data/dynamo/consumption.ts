import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { Usage } from '#shared/contract/weight.ts';

/** What the work at hand has used of the table so far, as DynamoDB says with each answer. */

const tallies = new AsyncLocalStorage<{ readUnits: number; writeUnits: number; left: number }>();

/** Runs work whose use of the table is counted, apart from that of the work around it. */
export function counted<T>(work: () => T): T {
  return tallies.run({ readUnits: 0, writeUnits: 0, left: 0 }, work);
}

/** Calls that failed are missing: DynamoDB does not say what they took. */
export function usageSoFar(): Usage {
  const { readUnits, writeUnits } = tallies.getStore() ?? { readUnits: 0, writeUnits: 0 };
  return { readUnits, writeUnits };
}

/** With what the work has left to others. */
export function wholeUsage(): Usage {
  const { readUnits, writeUnits } = usageSoFar();
  return { readUnits, writeUnits: writeUnits + (tallies.getStore()?.left ?? 0) };
}

/** Counts writes that others will do because of this work. */
export function leave(writeUnits: number): void {
  const tally = tallies.getStore();
  if (tally) tally.left += writeUnits;
}

const READS = /^(?:BatchGet|Get|Query|Scan)/;

/** @param command the name of the call, such as `PutItemCommand` */
export function count(command: string, answer: ServiceOutputTypes): void {
  const tally = tallies.getStore();
  if (!tally || !('ConsumedCapacity' in answer)) return;
  // A call on many items has a figure for each table.
  const figures = [answer.ConsumedCapacity ?? []].flat();
  const units = figures.reduce((sum, each) => sum + (('CapacityUnits' in each && each.CapacityUnits) || 0), 0);
  if (READS.test(command)) tally.readUnits += units;
  else tally.writeUnits += units;
}
