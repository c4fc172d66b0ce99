import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { billingKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { type TransactItem, tryTransact } from '#shared/data/table/transaction.ts';
import { type Condition, check, put, remove } from '#shared/data/table/writes.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { Holdable } from '#shared/domain/tracker/hold.ts';
import { readHolds, type StoredHolds } from './holds.ts';

/**
 * A record says which request is putting the time of a client on an invoice. Two requests that want the same entries must not each
 * take half of them. So each client has one record: while one request has it, others wait, and then bill what is left.
 *
 * The record names the hold that is still to come or to grow. Until the record ends, the entries that name this hold are
 * neither free nor invoiced. All transactions of the request depend on the record. So whoever ends or replaces the
 * record of a request that has died also makes sure that nothing of that request can be written later.
 */
const row = v.object({
  organizationId: v.string(),
  clientId: v.string(),
  /** Of this billing, and no other. */
  id: v.string(),
  holdId: v.string(),
  /** Milliseconds since the epoch */
  expiresAt: v.number(),
});

export type Billing = Readonly<v.InferOutput<typeof row>>;

export type BilledClient = Pick<Billing, 'organizationId' | 'clientId'>;

/** Twice the time that the function has for a request. A request that still lives after that can no longer write. */
const LIFETIME_MILLISECONDS = 60_000;

export function newBilling(billing: Omit<Billing, 'expiresAt'>): Billing {
  return { ...billing, expiresAt: Date.now() + LIFETIME_MILLISECONDS };
}

/** Fails while another request is billing time of the client. */
export function billingPut(billing: Billing): TransactItem {
  return put(
    { ...keyOf(billing), ...billing },
    {
      ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
      ExpressionAttributeValues: { ':now': Date.now() },
    },
  );
}

/** For a transaction of the billing. */
export function billingCheck(billing: Billing): TransactItem {
  return check(keyOf(billing), isGoingOn(billing));
}

/** For the transaction with which the billing ends. */
export function billingEnd(billing: Billing): TransactItem {
  return remove(keyOf(billing), isGoingOn(billing));
}

const keyOf = ({ organizationId, clientId }: BilledClient) => billingKey(organizationId, clientId);

function isGoingOn({ id }: Billing): Condition {
  return { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } };
}

/** Ends a billing that comes to nothing: what it has taken is free. */
export async function giveUpBilling(billing: Billing): Promise<void> {
  await tryTransact([billingEnd(billing)]);
}

async function findBillings(organizationId: string, clientIds: ReadonlySet<string>): Promise<Billing[]> {
  const items = await batchGet([...clientIds].map((clientId) => billingKey(organizationId, clientId)));
  return items.map((item) => v.parse(row, item));
}

const lifeLeft = ({ expiresAt }: Billing): number => expiresAt - Date.now();

/** A request that has been at it for longer has most likely died. Nobody waits for it. */
const PATIENCE_MILLISECONDS = 12_000;

/** The time that a waiting request keeps for its own work, however often it waits. */
const WORK_MILLISECONDS = 16_000;

const PAUSE_MILLISECONDS = 200;

/**
 * Waits until no request is billing the client's time, or none that can still write.
 *
 * @param remainingMilliseconds of the whole request, so its waits do not add up
 * @throws Problem `invoicing_in_progress` when the other request takes too long
 */
export async function waitWhileBilled(client: BilledClient, remainingMilliseconds: () => number): Promise<void> {
  for (;;) {
    const [billing] = await findBillings(client.organizationId, new Set([client.clientId]));
    const left = billing ? lifeLeft(billing) : 0;
    if (left <= 0) return;
    const isLate = left < LIFETIME_MILLISECONDS - PATIENCE_MILLISECONDS;
    if (isLate || remainingMilliseconds() < WORK_MILLISECONDS) throw inProgress(left);
    await sleep(PAUSE_MILLISECONDS * (0.5 + Math.random()));
  }
}

/**
 * The holds that entries name. It first makes sure that no request is about to hold a wanted entry: it ends the billing
 * of a request whose time is over, and refuses while one may live. A wanted entry that is free then stays free until a
 * request gives it a new version.
 *
 * The order of reads matters: the entries first, then the records, then the holds. An entry that was taken before it
 * was read then has its record, or that record has ended and its hold tells.
 *
 * @throws Problem `invoicing_in_progress` while a request that may live is billing a wanted entry
 */
export async function settleHolds<E extends Holdable & { readonly clientId: string | null }>(
  organizationId: string,
  entries: readonly E[],
  wanted = entries,
): Promise<StoredHolds> {
  const named = wanted.filter(({ holdId }) => holdId !== null);
  const holdIds = new Set(named.map(({ holdId }) => holdId));
  const clientIds = new Set(named.flatMap(({ clientId }) => clientId ?? []));
  for (const billing of await findBillings(organizationId, clientIds)) {
    if (!holdIds.has(billing.holdId)) continue;
    const left = lifeLeft(billing);
    if (left > 0) throw inProgress(left);
    await giveUpBilling(billing);
  }
  return readHolds(organizationId, entries);
}

/** @param left milliseconds until the other request is given up */
function inProgress(left: number): Problem {
  return new Problem('invoicing_in_progress', {
    detail: "A request is putting the client's time on an invoice.",
    headers: { 'Retry-After': String(Math.ceil(left / 1_000)) },
  });
}
