import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { readItem } from './item.ts';

/**
 * How many items a collection holds. The count is an item of its own, and changes in the same transactions as the
 * collection. It spares lists from reading everything for their total. `all` counts every item; a collection may count
 * some of its items under further names.
 */

const count = v.optional(v.number(), 0);

export async function readCount(key: Key, name = 'all'): Promise<number> {
  return countIn(await readItem(key), name);
}

/** @param item the item of the count; undefined where nothing was ever counted */
export function countIn(item: Readonly<Record<string, unknown>> | undefined, name: string): number {
  return v.parse(count, item?.[name]);
}
