import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from './client.ts';

type Item = Record<string, unknown>;

export interface Filter {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

interface Reading {
  readonly partition: string;
  readonly filter?: Filter;
  /** Stop after so many items; all of them by default. */
  readonly upTo?: number;
}

/**
 * Reads a small collection from its base-table partition, newest first, with strong consistency: a front end sees what it has
 * just written. DynamoDB hands out at most 1 MB at a time, hence the loop.
 */
export async function readCollection({ partition, filter, upTo = Number.POSITIVE_INFINITY }: Reading): Promise<Item[]> {
  const items: Item[] = [];
  let startKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await database.send(
      new QueryCommand({
        TableName: TABLE_NAME,
        KeyConditionExpression: 'pk = :partition',
        FilterExpression: filter?.expression,
        ExpressionAttributeNames: filter?.names,
        ExpressionAttributeValues: { ':partition': partition, ...filter?.values },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: Number.isFinite(upTo) ? Math.min(upTo - items.length, MAX_LIMIT) : undefined,
        ExclusiveStartKey: startKey,
      }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey && items.length < upTo);
  return items;
}

/** DynamoDB takes a 32-bit limit; a larger offset than this lies beyond any page of 1 MB anyway. */
const MAX_LIMIT = 100_000;
