import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { Problem } from '#shared/domain/problems.ts';

/** How far a look through rows may read, by what DynamoDB says with each answer. */

/**
 * The most that a request looks through: 100 MB, or of an index 200 MB. 50,000 rows of usual length are less than half
 * of it, and of the greatest length eight times as much. A function has memory for 100 MB.
 */
const MAX_READ_UNITS = 25_000;

const bounds = new AsyncLocalStorage<{ readUnits: number; readonly refusal: () => Problem }>();

/**
 * Looks through rows, as far as a request may. Every call to the table inside of `look` is charged, however deep it
 * lies. An inner bound takes the place of the outer one until it ends.
 *
 * @param refusal what each call throws once the look has read more
 */
export function bounded<T>(
  look: () => Promise<T>,
  refusal: () => Problem,
  readUnits: number = MAX_READ_UNITS,
): Promise<T> {
  return bounds.run({ readUnits, refusal }, look);
}

/** @throws the refusal of {@link bounded} */
export function charge(answer: ServiceOutputTypes): void {
  const bound = bounds.getStore();
  if (!bound || !('ConsumedCapacity' in answer)) return;
  // A call on many items has a figure for each table.
  const figures = [answer.ConsumedCapacity ?? []].flat();
  for (const each of figures) bound.readUnits -= ('CapacityUnits' in each && each.CapacityUnits) || 0;
  if (bound.readUnits < 0) throw bound.refusal();
}
