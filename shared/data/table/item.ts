import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from './database.ts';
import type { Item } from './query.ts';

export async function readItem(key: Key): Promise<Item | undefined> {
  const { Item } = await database.send(new GetCommand({ TableName: TABLE_NAME, Key: key, ConsistentRead: true }));
  return Item;
}
