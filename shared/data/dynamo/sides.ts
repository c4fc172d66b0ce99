import { kindOf, sidesOf, withoutSide } from './keys.ts';
import type { Item } from './query.ts';
import type { TransactItem } from './transaction.ts';

/**
 * Sums that many write to at the same moment. A transaction holds its items for some milliseconds. If two hundred
 * timers of one project stop in the same second, their transactions would wait in line. So if another transaction holds
 * the item, the writer adds to a side of the item instead. The item and its sides add up; each part may be negative.
 */

/** The kinds of items that are sums which entries write to. */
const SUMS: ReadonlySet<string> = new Set(['CALENDAR', 'LEDGER', 'LEDGER_YEAR', 'PROJECT']);

/**
 * What to write instead of an item that is held. For a sum, it is the same update of one of its sides; any other item
 * stays as it is. A side is written even if its project is just being deleted. The entry then counts as booked before
 * the deletion, like all entries of a deleted project.
 */
export function stepAside(held: TransactItem): TransactItem {
  const { Update } = held;
  const key = { pk: String(Update?.Key?.pk), sk: String(Update?.Key?.sk) };
  if (!Update || !SUMS.has(kindOf(key.pk))) return held;
  const sides = sidesOf(key);
  const Key = sides[Math.floor(Math.random() * sides.length)];
  return { Update: { ...Update, Key, ConditionExpression: undefined } };
}

/** Makes one item of an item and its sides. Numbers are added up; other attributes stay as they are. */
export function joinSides(items: readonly Item[]): readonly Item[] {
  if (!items.some(({ sk }) => withoutSide(String(sk)) !== sk)) return items;
  const groups = Map.groupBy(items, ({ sk }) => withoutSide(String(sk)));
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
