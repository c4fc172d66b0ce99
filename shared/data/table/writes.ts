import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#shared/data/layout/keys.ts';
import { TABLE_NAME } from './database.ts';
import type { TransactItem } from './transaction.ts';

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
  /** Lets the refusal see what the condition has met. */
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
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

/** The reader of an item that is only there or not, or that only filters look into. */
export const unread = (): void => undefined;

type Members = Readonly<Record<string, unknown>>;

type Attributes = Key & Members;

/**
 * What a version does not know, a newer one may have written. So who changes an item sets what has changed, and leaves all
 * other attributes alone: also a value that was read as a neutral one (`known.ts`). A long or packed attribute, which is
 * written whole, carries what its reader did not know.
 *
 * What is derived is made anew: lean rows, search texts, index keys, the directory, copies in drafts, and the row of an
 * entry on another day than before.
 *
 * @param before the item of the object as it was read
 * @param after that of the changed object, with another version
 * @param read as its room reads the item
 */
export function change<Item extends Attributes>(
  before: Attributes,
  after: Item,
  read: (item: Item) => unknown,
  condition: Omit<Condition, 'ExpressionAttributeNames'>,
): TransactItem {
  read(after);
  const { pk, sk } = after;
  return assign({ pk, sk, ...differences(before, after) }, unread, condition);
}

/** Members that have another value after the change, undefined if they are gone. */
export function differences(before: Members, after: Members): Members {
  const changed = Object.keys({ ...before, ...after }).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** See {@link assignment}. */
export function assign<Item extends Attributes>(
  item: Item,
  read: (item: Item) => unknown,
  condition?: Omit<Condition, 'ExpressionAttributeNames'>,
): TransactItem {
  const { pk, sk } = item;
  return update({ pk, sk }, assignment(item, read, condition));
}

/**
 * Sets attributes, some at least, and removes those that are undefined. Some names are reserved words of DynamoDB.
 *
 * @param condition without names
 */
export function assignment<Item extends Attributes>(
  item: Item,
  read: (item: Item) => unknown,
  condition?: Omit<Condition, 'ExpressionAttributeNames'>,
): Change {
  read(item);
  const { pk: _, sk: _sk, ...attributes } = item;
  const present = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const sets = present.map(([name]) => `#${name} = :new_${name}`).join(', ');
  const gone = Object.entries(attributes).filter(([, value]) => value === undefined);
  const removals = gone.map(([name]) => `#${name}`).join(', ');
  return {
    UpdateExpression: [`SET ${sets}`, ...(removals === '' ? [] : [`REMOVE ${removals}`])].join(' '),
    ...condition,
    ExpressionAttributeNames: Object.fromEntries(Object.keys(attributes).map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...condition?.ExpressionAttributeValues,
      ...Object.fromEntries(present.map(([name, value]) => [`:new_${name}`, value])),
    },
  };
}

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
