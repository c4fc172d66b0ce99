import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { billingKey, holdKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { texts } from '#shared/data/table/members.ts';
import { batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';
import { readAtOnce, type TransactItem, tryTransact } from '#shared/data/table/transaction.ts';
import { type Condition, check, put, remove } from '#shared/data/table/writes.ts';
import { type Problem, retryable } from '#shared/domain/problems.ts';
import type { Holdable } from '#shared/domain/tracker/hold.ts';
import { holdIn, readHolds, type StoredHold, type StoredHolds } from './holds.ts';

/**
 * Two requests that want the same entries must not each take half of them. While one request has the client's record,
 * others wait, and then bill what is left.
 *
 * Until the record ends, it is undecided whether an entry that names its hold, and is not held by it, is free. All
 * transactions of the request depend on the record: once it has ended, none of them can be written.
 */
const row = v.object({
  ...texts('organizationId', 'clientId', 'id', 'holdId'),
  /** Milliseconds since the epoch */
  expiresAt: v.number(),
});

export type BillingLock = Readonly<v.InferOutput<typeof row>>;

export type BilledClient = Pick<BillingLock, 'organizationId' | 'clientId'>;

/** Twice the time of a request, which has ended by then. If not, the end of its record keeps it from writing. */
const LIFETIME_MILLISECONDS = 60_000;

export function newBilling(billing: Omit<BillingLock, 'expiresAt'>): BillingLock {
  return { ...billing, expiresAt: Date.now() + LIFETIME_MILLISECONDS };
}

export function acquireBilling(billing: BillingLock): TransactItem {
  return put({ ...keyOf(billing), ...billing }, v.parser(row), {
    ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
    ExpressionAttributeValues: { ':now': Date.now() },
  });
}

export function billingCheck(billing: BillingLock): TransactItem {
  return check(keyOf(billing), isGoingOn(billing));
}

export function releaseBilling(billing: BillingLock): TransactItem {
  return remove(keyOf(billing), isGoingOn(billing));
}

const keyOf = ({ organizationId, clientId }: BilledClient) => billingKey(organizationId, clientId);

function isGoingOn({ id }: BillingLock): Condition {
  return { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } };
}

export async function giveUpBilling(billing: BillingLock): Promise<void> {
  await tryTransact([releaseBilling(billing)]);
}

const lifeLeft = ({ expiresAt }: BillingLock): number => expiresAt - Date.now();

/** A request that takes longer has most likely died. Nobody waits for it. */
const PATIENCE_MILLISECONDS = 12_000;

/** A waiting request keeps this time for its own work, however often it waits. */
const WORK_MILLISECONDS = 16_000;

const PAUSE_MILLISECONDS = 200;

/** @throws Problem `invoicing_in_progress` when the other request takes too long */
export async function waitWhileBilled(client: BilledClient, remainingMilliseconds: () => number): Promise<void> {
  for (;;) {
    const item = await readItem(keyOf(client));
    const left = item ? lifeLeft(v.parse(row, item)) : 0;
    if (left <= 0) return;
    const age = LIFETIME_MILLISECONDS - left;
    if (age > PATIENCE_MILLISECONDS || remainingMilliseconds() < WORK_MILLISECONDS) throw inProgress(left);
    await sleep(PAUSE_MILLISECONDS * (0.5 + Math.random()));
  }
}

/**
 * The holds that entries name. No request is then about to hold a wanted entry: one whose time is over is ended; while
 * one may still live, this throws. A wanted entry that is free stays free until its version changes, as every taking
 * does.
 *
 * The client's record and the holds are read at one moment, after the entries. If an entry was taken before then, the
 * record is there, or it has ended and the hold tells. An entry that names a hold has the client it was taken for, since
 * a change drops the name.
 *
 * @throws Problem `invoicing_in_progress` while a request that may live is billing a wanted entry
 */
export async function resolveHolds<E extends Holdable & { readonly clientId: string | null }>(
  organizationId: string,
  entries: readonly E[],
  wanted = entries,
): Promise<StoredHolds> {
  const named = wanted.filter(({ clientId, holdId }) => clientId !== null && holdId !== null);
  const groups = [...Map.groupBy(named, ({ clientId }) => clientId ?? '')].flatMap(([clientId, ofClient]) => {
    const holdIds = [...new Set(ofClient.flatMap(({ holdId }) => holdId ?? []))];
    return batchesOf(holdIds, HOLDS_AT_ONCE).map((batch) => ({ client: { organizationId, clientId }, holdIds: batch }));
  });
  const resolved = await mapInParallel(groups, ({ client, holdIds }) => resolveHoldsOf(client, holdIds));
  const asked = new Set(groups.flatMap(({ holdIds }) => holdIds));
  const others = await readHolds(
    organizationId,
    entries.filter(({ holdId }) => holdId !== null && !asked.has(holdId)),
  );
  return new Map([...others, ...resolved.flat().map((hold) => [hold.id, hold] as const)]);
}

/** Each takes 400 KB at most, and what is read at once 4 MB. */
const HOLDS_AT_ONCE = 9;

async function resolveHoldsOf(client: BilledClient, holdIds: readonly string[]): Promise<StoredHold[]> {
  const keys = [keyOf(client), ...holdIds.map((id) => holdKey(client.organizationId, id))];
  for (;;) {
    const items = await readAtOnce(keys);
    const holds = items.filter(({ pk }) => pk !== keys[0]?.pk).map(holdIn);
    const record = items.find(({ pk }) => pk === keys[0]?.pk);
    const billing = record && v.parse(row, record);
    if (!billing || !holdIds.includes(billing.holdId)) return holds;
    const left = lifeLeft(billing);
    if (left > 0) throw inProgress(left);
    await giveUpBilling(billing);
  }
}

/** @param left milliseconds until the other request is given up */
function inProgress(left: number): Problem {
  const detail = "A request is putting the client's time on an invoice.";
  return retryable('invoicing_in_progress', detail, Math.ceil(left / 1_000));
}
