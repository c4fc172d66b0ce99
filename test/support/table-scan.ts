import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';

/** Every item of the table, whatever the service shows of it. */
export async function* scanTable(): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({ TableName: TABLE_NAME, ExclusiveStartKey, ConsistentRead: true });
    const { Items = [], LastEvaluatedKey } = await database.send(command);
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** DynamoDB's own limit. */
const BATCH_SIZE = 25;

export async function putItems(items: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  for (const batch of batchesOf(items, BATCH_SIZE)) {
    const RequestItems = { [TABLE_NAME]: batch.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems } = await database.send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('The table did not take all items.');
  }
}

/** Items come with the members of their maps in any order. */
export function exactly(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return String(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
