import * as v from 'valibot';
import { batchGet } from '#shared/data/dynamo/batch.ts';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { claimingKey, claimingPartition } from '#shared/data/dynamo/keys.ts';
import { type TransactItem, tryTransact } from '#shared/data/dynamo/transaction.ts';
import { releasingPut } from './claims.ts';

/**
 * Which request is just now claiming the time of a client. Two requests that want the same entries must not each take
 * half of them, so there is one record for each client. While one request has the record, the others wait, and then
 * bill what is left.
 *
 * The record also says which claim is still to come: until it ends, the entries that name this claim are neither free
 * nor invoiced. If the record has outlived its request, the next reader gives up the claim.
 */

const claiming = v.object({
  organizationId: v.string(),
  clientId: v.string(),
  claimId: v.string(),
  expiresAt: v.string(),
});

export type Claiming = v.InferOutput<typeof claiming>;

export type ClaimedClient = Pick<Claiming, 'organizationId' | 'clientId'>;

/** Twice the time that the function has for a request. A request that still lives after that can no longer write. */
export const LIFETIME_MILLISECONDS = 60_000;

/** The record of a request that begins to claim now. */
export function newClaiming({ organizationId, clientId }: ClaimedClient, claimId: string): Claiming {
  const expiresAt = new Date(Date.now() + LIFETIME_MILLISECONDS).toISOString();
  return { organizationId, clientId, claimId, expiresAt };
}

/** Writes the record. Fails while another request is claiming time of the client. */
export function claimingPut(record: Claiming): TransactItem {
  const Item = { ...claimingKey(record.organizationId, record.clientId), ...record };
  return { Put: { TableName: TABLE_NAME, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** The record that a client has now. */
export async function findClaiming({ organizationId, clientId }: ClaimedClient): Promise<Claiming | undefined> {
  const item = await readItem(claimingKey(organizationId, clientId));
  return item && v.parse(claiming, item);
}

/** The records that some clients have now, at most one each. */
export async function findClaimings(organizationId: string, clientIds: readonly string[]): Promise<Claiming[]> {
  const items = await batchGet(clientIds.map((clientId) => claimingKey(organizationId, clientId)));
  return items.map((item) => v.parse(claiming, item));
}

/** How long the request of a record may still write; zero or less if it has died. */
export function millisecondsLeft({ expiresAt }: Claiming): number {
  return Date.parse(expiresAt) - Date.now();
}

/** The condition that this request still has the record, for a transaction that claims entries. */
export function claimingCheck({ organizationId, clientId, claimId }: Claiming): TransactItem {
  return {
    ConditionCheck: {
      TableName: TABLE_NAME,
      Key: claimingKey(organizationId, clientId),
      ConditionExpression: 'claimId = :claim',
      ExpressionAttributeValues: { ':claim': claimId },
    },
  };
}

/** For the transaction that ends a claiming. Fails when the claim was given up. */
export function claimingEnd({ organizationId, clientId, claimId }: Claiming): TransactItem {
  return {
    Delete: {
      TableName: TABLE_NAME,
      Key: claimingKey(organizationId, clientId),
      ConditionExpression: 'claimId = :claim',
      ExpressionAttributeValues: { ':claim': claimId },
    },
  };
}

/**
 * Gives up a claim before it exists: its entries are free again, and a record is left to have them cleared. No message
 * asks for that, because nobody sees what entries say of such a claim. The schedule `sweep-claims` finds the record
 * soon enough.
 *
 * @returns false when the claiming had already ended
 */
export function abandonClaiming(record: Claiming, now: Date): Promise<boolean> {
  return tryTransact([claimingEnd(record), releasingPut(record.organizationId, record.claimId, now)]);
}

/** The records of all organizations that had outlived their requests at an instant. */
export async function listClaimings(expiredBefore: Date): Promise<Claiming[]> {
  const items = await readCollection({
    partition: claimingPartition,
    filter: { expression: 'expiresAt < :before', values: { ':before': expiredBefore.toISOString() } },
  });
  return items.map((item) => v.parse(claiming, item));
}
