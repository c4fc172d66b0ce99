import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ringKey, ringSlotKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { updateItem } from '#shared/data/table/item.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { type Attempt, expiryAt } from './attempts.ts';

/**
 * The kept answers of a user for which nothing was written, such as refusals, in a ring of slots. Each takes the next
 * slot, and the one that had it is forgotten: the oldest go first. To forget one does no harm, since its request finds
 * the same again.
 */

export const MAX_KEPT_REFUSALS = 1_000;

const ring = v.object({ taken: v.number() });

const slot = v.object({ pk: v.string(), request: v.string(), attempt: v.string() });

/**
 * Takes a slot for the answer that an attempt has kept. Parts of the forgotten answer stay until they expire, since
 * deleting a part costs as much as writing it, and nothing leads to it any more.
 */
export async function takeSlot(
  { organizationId, userId }: Pick<Principal, 'organizationId' | 'userId'>,
  { key, id }: Attempt,
  now: Date,
): Promise<void> {
  const increase = { UpdateExpression: 'ADD taken :one', ExpressionAttributeValues: { ':one': 1 } };
  const { taken } = v.parse(ring, await updateItem(ringKey(organizationId, userId), increase));
  const Item = {
    ...ringSlotKey(organizationId, userId, taken % MAX_KEPT_REFUSALS),
    request: key.sk,
    attempt: id,
    ...expiryAt(now),
  };
  const { Attributes } = await database.send(new PutCommand({ TableName: TABLE_NAME, Item, ReturnValues: 'ALL_OLD' }));
  const former = Attributes && v.parse(slot, Attributes);
  // A write that was sent twice finds itself.
  if (former && former.attempt !== id) await forget(former);
}

/** The same key may name a later request by now, whose record stays. */
async function forget({ pk, request, attempt }: v.InferOutput<typeof slot>): Promise<void> {
  try {
    await database.send(
      new DeleteCommand({
        TableName: TABLE_NAME,
        Key: { pk, sk: request },
        ConditionExpression: 'attempt = :attempt',
        ExpressionAttributeValues: { ':attempt': attempt },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
