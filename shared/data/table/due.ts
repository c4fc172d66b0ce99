import * as v from 'valibot';
import { dueBy } from '#shared/data/layout/keys.ts';
import { readCollection } from './collection.ts';
import { mapInParallel } from './parallel.ts';

/**
 * The sort keys, the longest due first. The index may be a moment behind.
 *
 * @param since leaves out what was due before
 */
export async function readDue(partitions: readonly string[], now: Date, since?: Date): Promise<string[]> {
  const to = dueBy(now.toISOString());
  const range = since ? { between: { from: since.toISOString(), to } } : { behind: { sortKey: to, inclusive: false } };
  const found = await mapInParallel(partitions, (partition) => readCollection({ partition, index: 'byDue', ...range }));
  return found.flatMap((items) => items.map(({ dueSk }) => v.parse(v.string(), dueSk))).sort();
}

/** @param dueSk of an item that was read from the table; an item that is not in the index has none */
export const isDue = (dueSk: unknown, now: Date): boolean =>
  typeof dueSk === 'string' && dueSk < dueBy(now.toISOString());
