import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { readItem } from './item.ts';

/** A count changes in the transactions of its collection, so a list need not read everything for its total. */

const count = v.optional(v.number(), 0);

export async function readCount(key: Key, name = 'all'): Promise<number> {
  return countIn(await readItem(key), name);
}

export function countIn(item: Readonly<Record<string, unknown>> | undefined, name: string): number {
  return v.parse(count, item?.[name]);
}
