import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { LEASE_MILLISECONDS } from '#shared/runtime/lease.ts';
import { readItem } from './item.ts';

/** A count changes in the transactions of its collection, so a list need not read everything for its total. */

const count = v.optional(v.number(), 0);

export async function readCount(key: Key, name = 'all'): Promise<number> {
  return countIn(await readItem(key), name);
}

/** More counts than one running function needs in ten seconds. */
const recent = new BoundedMap<{ readonly rows: number; readonly endsAt: number }>(1_000);

/**
 * For what a search weighs, never for the total of a page. 500 rows weigh one token, so a count of some seconds ago will
 * do, and most searches need one call less.
 */
export async function readRecentCount(key: Key, name = 'all'): Promise<number> {
  const id = `${key.pk} ${key.sk} ${name}`;
  const held = recent.get(id);
  if (held && Date.now() < held.endsAt) return held.rows;
  const endsAt = Date.now() + LEASE_MILLISECONDS;
  const rows = await readCount(key, name);
  recent.set(id, { rows, endsAt });
  return rows;
}

export function countIn(item: Readonly<Record<string, unknown>> | undefined, name: string): number {
  return v.parse(count, item?.[name]);
}
