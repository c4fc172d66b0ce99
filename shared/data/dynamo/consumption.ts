import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { Usage } from '#shared/contract/weight.ts';
import type { Problem } from '#shared/domain/problems.ts';

/** What the work at hand has used of the table so far, as DynamoDB says with each answer, and how far it may read. */

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

/**
 * The most that a request looks through: 100 MB, or of an index 200 MB. 50,000 rows of usual length are less than half
 * of it, and of the greatest length eight times as much. A function has memory for 100 MB.
 */
const MAX_READ_UNITS = 25_000;

const bounds = new AsyncLocalStorage<{ readUnits: number; readonly refusal: () => Problem }>();

/**
 * Looks through rows, as far as a request may.
 *
 * @param refusal what each call throws once the look has read more
 */
export function bounded<T>(look: () => Promise<T>, refusal: () => Problem): Promise<T> {
  return bounds.run({ readUnits: MAX_READ_UNITS, refusal }, look);
}

const READS = /^(?:BatchGet|Get|Query|Scan)/;

/**
 * @param command the name of the call, such as `PutItemCommand`
 * @throws the refusal of {@link bounded}
 */
export function count(command: string, answer: ServiceOutputTypes): void {
  if (!('ConsumedCapacity' in answer)) return;
  // A call on many items has a figure for each table.
  const figures = [answer.ConsumedCapacity ?? []].flat();
  const units = figures.reduce((sum, each) => sum + (('CapacityUnits' in each && each.CapacityUnits) || 0), 0);
  const isRead = READS.test(command);
  const tally = tallies.getStore();
  if (tally) tally[isRead ? 'readUnits' : 'writeUnits'] += units;
  const bound = bounds.getStore();
  if (!bound || !isRead) return;
  bound.readUnits -= units;
  if (bound.readUnits < 0) throw bound.refusal();
}
