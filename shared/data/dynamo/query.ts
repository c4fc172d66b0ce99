import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from './database.ts';

export type Item = Record<string, unknown>;

type Query = Omit<QueryCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'>;

/** All that a query finds, with strong consistency. DynamoDB returns at most 1 MB at a time, hence the loop. */
export async function queryAll(query: Query): Promise<Item[]> {
  const items: Item[] = [];
  let startKey: Item | undefined;
  do {
    const page = await database.send(
      new QueryCommand({ ...query, TableName: TABLE_NAME, ConsistentRead: true, ExclusiveStartKey: startKey }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return items;
}
