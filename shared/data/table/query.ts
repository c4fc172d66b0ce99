import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from './database.ts';
import type { ReadBound } from './read-bound.ts';

/** A query of one partition. Lists that page, count and search go through `collection.ts`. */

export type Item = Record<string, unknown>;

export interface Query extends Omit<QueryCommandInput, 'TableName' | 'ConsistentRead'> {
  readonly bound?: ReadBound;
}

/** One call, at most 1 MB. Reads of an index are eventually consistent: DynamoDB offers no others. */
export async function queryPage({ bound, ...query }: Query): Promise<QueryPage> {
  const page = await database.send(
    new QueryCommand({
      ...query,
      TableName: TABLE_NAME,
      ConsistentRead: query.IndexName === undefined,
      ReturnConsumedCapacity: bound && 'TOTAL',
    }),
  );
  bound?.charge(page);
  return { ...page, items: page.Items ?? [] };
}

interface QueryPage extends Pick<QueryCommandOutput, 'Count' | 'ScannedCount' | 'LastEvaluatedKey'> {
  readonly items: readonly Item[];
}
