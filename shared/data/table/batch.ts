import { BatchGetCommand, BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/data/layout/keys.ts';
import { backOff } from '#shared/runtime/backoff.ts';
import { database, TABLE_NAME } from './database.ts';
import { batchesOf, mapInParallel } from './parallel.ts';
import type { ReadBound } from './read-bound.ts';

/** DynamoDB's own limit. */
const MAX_KEYS = 100;

/** In no particular order. DynamoDB leaves out items when the response grows too large; they are asked for again. */
export async function batchGet(keys: readonly Key[], bound?: ReadBound): Promise<Record<string, unknown>[]> {
  return (await mapInParallel(batchesOf(keys, MAX_KEYS), (batch) => getAll(batch, bound))).flat();
}

/** @returns the item of each of the keys */
export async function readItems(keys: readonly Key[]): Promise<(key: Key) => Record<string, unknown> | undefined> {
  const items = new Map((await batchGet(keys)).map((item) => [`${item.pk} ${item.sk}`, item]));
  return ({ pk, sk }) => items.get(`${pk} ${sk}`);
}

async function getAll(keys: readonly Key[], bound: ReadBound | undefined): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let pending: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  for (let attempt = 1; ; attempt++) {
    const { Responses, UnprocessedKeys, ConsumedCapacity } = await database.send(
      new BatchGetCommand({
        RequestItems: { [TABLE_NAME]: { Keys: pending, ConsistentRead: true } },
        ReturnConsumedCapacity: bound && 'TOTAL',
      }),
    );
    bound?.charge({ ConsumedCapacity: ConsumedCapacity?.[0] });
    const found = Responses?.[TABLE_NAME] ?? [];
    items.push(...found);
    pending = UnprocessedKeys?.[TABLE_NAME]?.Keys ?? [];
    if (pending.length === 0) return items;
    // Items left out for size can be read at once. If nothing came, the table is overloaded.
    if (found.length === 0) await backOff(attempt);
  }
}

/** DynamoDB's own limit. */
const MAX_DELETIONS = 25;

/**
 * One call at a time: whoever deletes much leaves the throughput of the table to others. A key without an item is no
 * fault.
 */
export async function batchDelete(keys: readonly Key[]): Promise<void> {
  const distinct = new Map(keys.map(({ pk, sk }) => [`${pk} ${sk}`, { pk, sk }]));
  for (const batch of batchesOf([...distinct.values()], MAX_DELETIONS)) await deleteAll(batch);
}

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/** DynamoDB leaves out requests when the table is overloaded. */
async function deleteAll(keys: readonly Key[]): Promise<void> {
  let pending: Requests = keys.map((key) => ({ DeleteRequest: { Key: { ...key } } }));
  for (let attempt = 1; ; attempt++) {
    const { UnprocessedItems } = await database.send(
      new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: pending } }),
    );
    pending = UnprocessedItems?.[TABLE_NAME] ?? [];
    if (pending.length === 0) return;
    await backOff(attempt);
  }
}
