import * as v from 'valibot';
import { TABLE_NAME } from './database.ts';
import { readItem } from './item.ts';
import { type Counted, countKey } from './keys.ts';
import type { TransactItem } from './transaction.ts';

/**
 * How many items a collection holds. The count is an item of its own, and changes in the same transactions as the
 * collection. It spares lists from reading everything for their total. `all` counts every item; a collection may count
 * some of its items under further names.
 */

const count = v.optional(v.number(), 0);

export async function readCount(organizationId: string, counted: Counted, name = 'all'): Promise<number> {
  const item = await readItem(countKey(organizationId, counted));
  return countIn(item, name);
}

/** @param item the item of the count; undefined where nothing was ever counted */
export function countIn(item: Readonly<Record<string, unknown>> | undefined, name: string): number {
  return v.parse(count, item?.[name]);
}

/** The change of a count, for the transaction that changes the collection. @param change what to add, by name */
export function countChange(
  organizationId: string,
  counted: Counted,
  change: Readonly<Record<string, number>>,
): TransactItem {
  const names = Object.keys(change);
  return {
    Update: {
      TableName: TABLE_NAME,
      Key: countKey(organizationId, counted),
      UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, change[name]])),
    },
  };
}
