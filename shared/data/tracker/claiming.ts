import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { batchGet } from '#shared/data/dynamo/batch.ts';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { claimingKey, claimingPartition } from '#shared/data/dynamo/keys.ts';
import { type TransactItem, tryTransact } from '#shared/data/dynamo/transaction.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { Claims } from '#shared/domain/tracker/entry.ts';
import { readClaims, releasingPut } from './claims.ts';
import type { StoredEntry } from './entry-items.ts';

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

type Claimed = Pick<Claiming, 'organizationId' | 'clientId'>;

/** Twice the time that the function has for a request. A request that still lives after that can no longer write. */
const LIFETIME_MILLISECONDS = 60_000;

/** A request that has been claiming for longer has most likely died. Nobody waits for it. */
const PATIENCE_MILLISECONDS = 12_000;

/** The time that a waiting request keeps for its own work, however often it waits. */
const WORK_MILLISECONDS = 16_000;

const PAUSE_MILLISECONDS = 200;

/** The record of a request that begins to claim now. */
export function newClaiming({ organizationId, clientId }: Claimed, claimId: string): Claiming {
  const expiresAt = new Date(Date.now() + LIFETIME_MILLISECONDS).toISOString();
  return { organizationId, clientId, claimId, expiresAt };
}

/** Writes the record. Fails while another request is claiming time of the client. */
export function claimingPut(record: Claiming): TransactItem {
  const Item = { ...claimingKey(record.organizationId, record.clientId), ...record };
  return { Put: { TableName: TABLE_NAME, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
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
 * The claims of a client's entries, once no request is claiming one of them. A claim that is missing may be still to
 * come. So the claims are read again after the wait.
 *
 * @param remainingMilliseconds of the whole request
 * @throws Problem `invoicing_in_progress` when another request takes too long
 */
export async function readSettledClaims(
  client: Claimed,
  entries: readonly Pick<StoredEntry, 'claimId'>[],
  remainingMilliseconds: () => number,
): Promise<Claims> {
  const { organizationId } = client;
  const claims = await readClaims(organizationId, entries);
  if (entries.every(({ claimId }) => claimId === null || claims.has(claimId))) return claims;
  await waitWhileClaimed(client, remainingMilliseconds);
  return readClaims(organizationId, entries);
}

/**
 * Makes sure that no request is claiming one of the entries; gives up those claims whose requests have most likely died.
 * Whoever reads the claims of these entries after that knows which of them are free for good.
 *
 * @throws Problem `invoicing_in_progress` while a request that may live is claiming one of the entries
 */
export async function settleClaims(
  organizationId: string,
  entries: readonly Pick<StoredEntry, 'clientId' | 'claimId'>[],
): Promise<void> {
  const held = entries.filter(({ claimId }) => claimId !== null);
  const claimIds = new Set(held.map(({ claimId }) => claimId));
  const clientIds = new Set(held.flatMap(({ clientId }) => clientId ?? []));
  const items = await batchGet([...clientIds].map((clientId) => claimingKey(organizationId, clientId)));
  for (const record of items.map((item) => v.parse(claiming, item))) {
    if (!claimIds.has(record.claimId)) continue;
    const left = millisecondsLeft(record);
    if (left > 0) throw inProgress(left);
    await abandonClaiming(record, new Date());
  }
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
