import { type Key, shardsOf, withoutShard } from '#shared/data/layout/keys.ts';
import type { Item } from './query.ts';
import type { TransactItem } from './transaction.ts';

/**
 * A transaction locks its items for some milliseconds: two hundred timers that stop in the same second would wait in
 * line for one sum. If a sum is locked, the writer adds to a shard of it. They add up; each may be negative.
 *
 * All that a writer has met locked at once steps aside to the shards of one number. Whoever meets another writer on one of
 * them then meets the same one on all: a number for each would find all of them free far less often.
 */

/** @param key of the item or of another of its shards @param draw from 0 up to 1 */
function shardFor(key: Partial<Key> | undefined, draw: number): Key | undefined {
  const shards = shardsOf({ pk: String(key?.pk), sk: String(key?.sk) });
  return shards[Math.floor(draw * shards.length)];
}

/** @returns the same update of a shard, whether the item exists or not */
export function onShard({ Key, ...update }: Update, draw: number): TransactItem {
  return { Update: { ...update, Key: shardFor(Key, draw), ConditionExpression: undefined } };
}

/** @returns the same check of a shard that is equal to the item */
export function checkOnShard({ Key, ...check }: Check, draw: number): TransactItem {
  return { ConditionCheck: { ...check, Key: shardFor(Key, draw) } };
}

type Check = NonNullable<TransactItem['ConditionCheck']>;

type Update = NonNullable<TransactItem['Update']>;

/** Numbers are added up; other attributes stay as they are. */
export function joinShards(items: readonly Item[]): readonly Item[] {
  if (!items.some(({ sk }) => withoutShard(String(sk)) !== sk)) return items;
  const groups = Map.groupBy(items, ({ sk }) => withoutShard(String(sk)));
  return [...groups].map(([sk, parts]) => ({ ...parts.reduce(add), sk }));
}

function add(one: Item, other: Item): Item {
  const sums = Object.entries(other).filter(([name]) => isNumber(one[name]) && isNumber(other[name]));
  return { ...one, ...other, ...Object.fromEntries(sums.map(([name, amount]) => [name, sum(one[name], amount)])) };
}

/** The SDK reads a number beyond the safe integers as a bigint. */
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

function sum(one: unknown, other: unknown): number | bigint {
  const total = BigInt(String(one)) + BigInt(String(other));
  return Number.isSafeInteger(Number(total)) ? Number(total) : total;
}
