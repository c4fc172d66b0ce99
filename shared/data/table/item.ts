import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/data/layout/keys.ts';
import { notFound } from '#shared/domain/problems.ts';
import { database, TABLE_NAME } from './database.ts';
import type { Item } from './query.ts';
import type { Change } from './writes.ts';

/** One write alone, which takes half the units of a transaction. @returns the new values of what it changes */
export async function updateItem(Key: Key, change: Change): Promise<Item | undefined> {
  const update = { TableName: TABLE_NAME, Key, ...change, ReturnValues: 'UPDATED_NEW' } as const;
  return (await database.send(new UpdateCommand(update))).Attributes;
}

/** @returns whether its condition held */
export async function tryUpdate(Key: Key, change: Change): Promise<boolean> {
  try {
    await updateItem(Key, change);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
  }
}

export async function readItem(key: Key): Promise<Item | undefined> {
  const { Item } = await database.send(new GetCommand({ TableName: TABLE_NAME, Key: key, ConsistentRead: true }));
  return Item;
}

/** @throws Problem `not_found` */
export async function requireItem(key: Key): Promise<Item> {
  const item = await readItem(key);
  if (!item) throw notFound();
  return item;
}
