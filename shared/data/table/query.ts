import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from './database.ts';
import type { ReadBound } from './read-bound.ts';

export type Item = Record<string, unknown>;

export interface Query extends Omit<QueryCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'> {
  readonly bound?: ReadBound;
}

interface QueryPage {
  readonly items: readonly Item[];
  readonly lastKey: Item | undefined;
}

/** Rows of a partition whose sort keys lie between two, both inclusive. */
export function between(partition: string, { from, to }: Readonly<Record<'from' | 'to', string>>) {
  return {
    KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
  };
}

/** One call, at most 1 MB. @param startKey the last key of the page before */
export async function queryPage({ bound, ...query }: Query, startKey: Item | undefined): Promise<QueryPage> {
  const page = await database.send(
    new QueryCommand({
      ...query,
      TableName: TABLE_NAME,
      ConsistentRead: true,
      ExclusiveStartKey: startKey,
      ReturnConsumedCapacity: bound && 'TOTAL',
    }),
  );
  bound?.charge(page);
  return { items: page.Items ?? [], lastKey: page.LastEvaluatedKey };
}

export async function queryAll(query: Query): Promise<Item[]> {
  const items: Item[] = [];
  let startKey: Item | undefined;
  do {
    const page = await queryPage(query, startKey);
    items.push(...page.items);
    startKey = page.lastKey;
  } while (startKey);
  return items;
}
