import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { readItem } from './item.ts';

/** A count changes in the transactions of its collection, so a list need not read everything for its total. */

const count = v.optional(v.number(), 0);

export async function readCount(key: Key, name = 'all'): Promise<number> {
  return countIn(await readItem(key), name);
}

const HELD_MILLISECONDS = 10_000;

const heldCounts = new BoundedMap<{ readonly count: number; readonly until: number }>(1_000);

/** At most ten seconds old, as is what a function knows of its caller: enough to tell what a search weighs. */
export async function readRecentCount(key: Key, name = 'all'): Promise<number> {
  const id = `${key.pk} ${key.sk} ${name}`;
  const held = heldCounts.get(id);
  if (held && Date.now() < held.until) return held.count;
  const count = await readCount(key, name);
  heldCounts.set(id, { count, until: Date.now() + HELD_MILLISECONDS });
  return count;
}

export function countIn(item: Readonly<Record<string, unknown>> | undefined, name: string): number {
  return v.parse(count, item?.[name]);
}
