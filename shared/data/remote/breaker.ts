import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { breakerKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { readItem, updateItem } from '#shared/data/table/item.ts';
import { type Breaker, CLOSED, pauseAfter } from '#shared/domain/remote/breaker.ts';

/** As long as the provider answers, there is no item. */

const stored = v.object({ failures: v.number(), openUntil: v.string() });

export async function readBreaker(): Promise<Breaker> {
  const item = await readItem(breakerKey);
  return item ? v.parse(stored, item) : CLOSED;
}

export async function noteProviderFailure(now: Date): Promise<void> {
  await updateItem(breakerKey, {
    UpdateExpression: 'SET openUntil = :until ADD failures :one',
    ExpressionAttributeValues: { ':until': pauseAfter(now), ':one': 1 },
  });
}

/** A breaker that says nothing of failures costs no write. */
export async function noteProviderAnswer({ failures }: Breaker): Promise<void> {
  if (failures > 0) await database.send(new DeleteCommand({ TableName: TABLE_NAME, Key: breakerKey }));
}
