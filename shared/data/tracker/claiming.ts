import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { claimingKey, claimingPartition, claimKey } from '#shared/data/dynamo/keys.ts';
import { type TransactItem, tryTransact } from '#shared/data/dynamo/transaction.ts';
import { Problem } from '#shared/domain/problems.ts';
import { findPendingClient, pendingClaimPut, releasingPut } from './claims.ts';

/**
 * Which request is just now claiming the time of a client in more than one transaction. Two requests that want the same
 * entries must not each take half of them, so there is one record for each client. While one request has the record,
 * the others wait, and then bill what is left.
 *
 * The record is also the outbox of unfinished claims: if it has outlived its request, the next reader gives up the
 * claim.
 */

const claiming = v.object({
  organizationId: v.string(),
  clientId: v.string(),
  claimId: v.string(),
  expiresAt: v.string(),
});

export type Claiming = v.InferOutput<typeof claiming>;

type Claimed = Pick<Claiming, 'organizationId' | 'clientId'>;

/** Twice the time that the function has for a request. A request that still lives after that can no longer write. */
const LIFETIME_MILLISECONDS = 60_000;

/** A request that has been claiming for longer has most likely died. Nobody waits for it. */
const PATIENCE_MILLISECONDS = 12_000;

/** The time that a waiting request keeps for its own work, however often it waits. */
const WORK_MILLISECONDS = 16_000;

const PAUSE_MILLISECONDS = 200;

/**
 * Starts a pending claim, if no other request is claiming time of the client.
 *
 * @returns undefined when another request is: read again what it leaves
 */
export async function beginClaiming(wanted: Claimed & { readonly claimId: string }): Promise<Claiming | undefined> {
  const { organizationId, clientId, claimId } = wanted;
  const record = { ...wanted, expiresAt: new Date(Date.now() + LIFETIME_MILLISECONDS).toISOString() };
  const Item = { ...claimingKey(organizationId, clientId), ...record };
  const put = { Put: { TableName: TABLE_NAME, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
  const isOnly = await tryTransact([put, pendingClaimPut(organizationId, claimId, clientId)]);
  return isOnly ? record : undefined;
}

/**
 * @param remainingMilliseconds of the whole request, so its waits do not add up
 * @throws Problem `invoicing_in_progress` when the other claim takes too long
 */
export async function waitWhileClaimed(client: Claimed, remainingMilliseconds: () => number): Promise<void> {
  for (;;) {
    const record = await findClaiming(client);
    if (!record) return;
    const left = millisecondsLeft(record);
    const isLate = left < LIFETIME_MILLISECONDS - PATIENCE_MILLISECONDS;
    if (left <= 0) await abandonClaiming(record, new Date());
    else if (isLate || remainingMilliseconds() < WORK_MILLISECONDS) throw inProgress(left);
    else await sleep(PAUSE_MILLISECONDS * (0.5 + Math.random()));
  }
}

/**
 * Reads again until no relevant claim is pending; gives up expired claims.
 *
 * @param read called again after a claim has ended: it was given up, or came to count
 * @param pendingClaim a relevant claim that is pending; null if there is none
 * @throws Problem `invoicing_in_progress` while a relevant claim may still come to count
 */
export async function whenSettled<Read>(
  organizationId: string,
  read: () => Promise<Read>,
  pendingClaim: (found: Read) => string | null,
): Promise<Read> {
  for (;;) {
    const found = await read();
    const pending = pendingClaim(found);
    if (pending === null) return found;
    await endPendingClaim(organizationId, pending);
  }
}

/**
 * Gives up a pending claim if its request has most likely died.
 *
 * @throws Problem `invoicing_in_progress` if the request may live
 */
async function endPendingClaim(organizationId: string, claimId: string): Promise<void> {
  const clientId = await findPendingClient(organizationId, claimId);
  const record = clientId === undefined ? undefined : await findClaiming({ organizationId, clientId });
  if (record?.claimId !== claimId) return;
  const left = millisecondsLeft(record);
  if (left > 0) throw inProgress(left);
  await abandonClaiming(record, new Date());
}

function millisecondsLeft({ expiresAt }: Claiming): number {
  return Date.parse(expiresAt) - Date.now();
}

/** @param left milliseconds until the other request is given up */
function inProgress(left: number): Problem {
  return new Problem('invoicing_in_progress', {
    detail: "A request is putting the client's time on an invoice.",
    headers: { 'Retry-After': String(Math.ceil(left / 1_000)) },
  });
}

async function findClaiming({ organizationId, clientId }: Claimed): Promise<Claiming | undefined> {
  const item = await readItem(claimingKey(organizationId, clientId));
  return item && v.parse(claiming, item);
}

/** The condition that nobody is claiming time of the client, for a claim in a single transaction. */
export function unclaimedCheck({ organizationId, clientId }: Claimed): TransactItem {
  return {
    ConditionCheck: {
      TableName: TABLE_NAME,
      Key: claimingKey(organizationId, clientId),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** For the transaction that ends a claiming. Fails when another request has ended it. */
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
 * Gives up a pending claim: its entries are free again, and a record is left to have them cleared. No message asks for
 * that, because nobody sees what entries say of an ended claim. The schedule `sweep-claims` finds the record soon
 * enough.
 *
 * @returns false when the claim had already ended
 */
export function abandonClaiming(record: Claiming, now: Date): Promise<boolean> {
  const { organizationId, claimId } = record;
  return tryTransact([
    claimingEnd(record),
    {
      Delete: {
        TableName: TABLE_NAME,
        Key: claimKey(organizationId, claimId),
        ConditionExpression: '#state = :pending',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':pending': 'pending' },
      },
    },
    releasingPut(organizationId, claimId, now),
  ]);
}

/** The records of all organizations that had outlived their requests at an instant. */
export async function listClaimings(expiredBefore: Date): Promise<Claiming[]> {
  const items = await readCollection({
    partition: claimingPartition,
    filter: { expression: 'expiresAt < :before', values: { ':before': expiredBefore.toISOString() } },
  });
  return items.map((item) => v.parse(claiming, item));
}
