import type { Key } from '#shared/data/layout/keys.ts';
import { TABLE_NAME } from './database.ts';
import type { TransactItem } from './transaction.ts';

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

export const IS_ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

export const EXISTS: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/**
 * What cannot be read is not written.
 *
 * @param read as its room reads the item
 * @throws Error as reading it would
 */
export function put<Item extends Key>(Item: Item, read: (item: Item) => unknown, condition?: Condition): TransactItem {
  read(Item);
  return { Put: { TableName: TABLE_NAME, Item, ...condition } };
}

/** Of an item that is there or not, or that filters alone look into. */
export const unread = (): void => undefined;

export type Change = { readonly UpdateExpression: string } & Partial<Condition>;

export function update(Key: Key, { UpdateExpression, ...others }: Change): TransactItem {
  return { Update: { TableName: TABLE_NAME, Key, UpdateExpression, ...others } };
}

export function remove(Key: Key, condition?: Condition): TransactItem {
  return { Delete: { TableName: TABLE_NAME, Key, ...condition } };
}

export function check(Key: Key, condition: Condition): TransactItem {
  return { ConditionCheck: { TableName: TABLE_NAME, Key, ...condition } };
}
