import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from './database.ts';
import type { Item } from './query.ts';
import type { Change } from './writes.ts';

/** One write alone, which takes half the units of a transaction. @returns whether its condition held */
export async function tryUpdate(Key: Key, change: Change): Promise<boolean> {
  try {
    await database.send(new UpdateCommand({ TableName: TABLE_NAME, Key, ...change }));
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
