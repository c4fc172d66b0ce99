import { kindOf, sidesOf, withoutSide } from './keys.ts';
import type { Item } from './query.ts';
import type { TransactItem } from './transaction.ts';

/**
 * Sums that many write to at the same moment. A transaction holds its items for some milliseconds, so that two hundred timers of one project,
 * stopped in the same second, would wait for each other in line. Who finds an item held writes to one beside it instead. What is in the
 * middle and what is beside it add up, and each part may be negative.
 */

/** The kinds of items that are sums, as far as entries write to them. */
const SUMS: ReadonlySet<string> = new Set(['CALENDAR', 'LEDGER', 'LEDGER_YEAR', 'PROJECT']);

/**
 * What to write instead of an item that is held: the same sums beside it, or where it is none of these, the item as it is. What is beside a
 * project is written also where the project is just being deleted. The entry was then booked before, as the entries of every deleted project.
 */
export function stepAside(held: TransactItem): TransactItem {
  const { Update } = held;
  const key = { pk: String(Update?.Key?.pk), sk: String(Update?.Key?.sk) };
  if (!Update || !SUMS.has(kindOf(key.pk))) return held;
  const sides = sidesOf(key);
  const Key = sides[Math.floor(Math.random() * sides.length)];
  return { Update: { ...Update, Key, ConditionExpression: undefined } };
}

/** Makes one item of those that lie beside each other. Their numbers are added up, and what else they say is left as it is. */
export function joinSides(items: readonly Item[]): Item[] {
  const groups = Map.groupBy(items, ({ sk }) => withoutSide(String(sk)));
  return [...groups].map(([sk, parts]) => ({ ...parts.reduce(add), sk }));
}

function add(one: Item, other: Item): Item {
  const sums = Object.entries(other).filter(([name]) => isNumber(one[name]) && isNumber(other[name]));
  return { ...one, ...other, ...Object.fromEntries(sums.map(([name, amount]) => [name, sum(one[name], amount)])) };
}

/** The SDK reads a number as a bigint where it is beyond the safe integers. */
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

function sum(one: unknown, other: unknown): number | bigint {
  const total = BigInt(String(one)) + BigInt(String(other));
  return Number.isSafeInteger(Number(total)) ? Number(total) : total;
}
