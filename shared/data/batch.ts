import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from './client.ts';
import { mapInParallel } from './parallel.ts';
import type { Key } from './table.ts';

/** DynamoDB's own limit. */
const MAX_KEYS = 100;

/** Items in no particular order; what DynamoDB leaves out for its size is asked for again. */
export async function batchGet(keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, i) =>
    keys.slice(i * MAX_KEYS, (i + 1) * MAX_KEYS),
  );
  return (await mapInParallel(batches, getAll)).flat();
}

async function getAll(keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let pending: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  while (pending.length > 0) {
    const { Responses, UnprocessedKeys } = await database.send(
      new BatchGetCommand({ RequestItems: { [TABLE_NAME]: { Keys: pending, ConsistentRead: true } } }),
    );
    items.push(...(Responses?.[TABLE_NAME] ?? []));
    pending = UnprocessedKeys?.[TABLE_NAME]?.Keys ?? [];
  }
  return items;
}
