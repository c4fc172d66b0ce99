import * as v from 'valibot';
import type { Key } from '#shared/data/layout/keys.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { readItem } from './item.ts';

/** A count changes in the transactions of its collection, so a list need not read everything for its total. */

const count = v.optional(v.number(), 0);

export async function readCount(key: Key, name = 'all'): Promise<number> {
  return countIn(await readItem(key), name);
}

/** As `LEASE_MILLISECONDS` of `shared/http/lease.ts`. */
const RECENT_MILLISECONDS = 10_000;

/** For more organizations than one running function sees in ten seconds. */
const recentCounts = new BoundedMap<{ readonly count: number; readonly endsAt: number }>(1_000);

/**
 * For what a search weighs, never for the total of a page. 500 rows weigh one token, so a count of some seconds ago will
 * do, and most searches need one call less.
 */
export async function readRecentCount(key: Key, name = 'all'): Promise<number> {
  const ofCount = `${key.pk} ${key.sk} ${name}`;
  const recent = recentCounts.get(ofCount);
  if (recent && Date.now() < recent.endsAt) return recent.count;
  const endsAt = Date.now() + RECENT_MILLISECONDS;
  const count = await readCount(key, name);
  recentCounts.set(ofCount, { count, endsAt });
  return count;
}

export function countIn(item: Readonly<Record<string, unknown>> | undefined, name: string): number {
  return v.parse(count, item?.[name]);
}
