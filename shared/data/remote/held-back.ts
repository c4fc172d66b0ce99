import * as v from 'valibot';
import { readHolds } from '#shared/data/holds/holds.ts';
import { heldBackKey, heldBackOf, heldBackPartition } from '#shared/data/layout/keys.ts';
import { batchDelete, readItems } from '#shared/data/table/batch.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { assign, remove } from '#shared/data/table/writes.ts';
import { type HeldBack, isSameWait } from '#shared/domain/remote/held-back.ts';
import { invoiceOf } from '#shared/domain/tracker/hold.ts';

/**
 * Invoices free entries without writing them, so each row that was held back has an item here, which names the hold it
 * waits for. Imports put it; only a scheduled sync removes it, since what it has read at the provider is the newest.
 */

export interface RemoteOrigin {
  readonly organizationId: string;
  readonly accountId: string;
}

const stored = v.object({
  entryId: v.string(),
  externalId: v.nullable(v.string()),
  date: v.string(),
  content: v.string(),
  holdId: v.nullable(v.string()),
  heldBackAt: v.string(),
});

type HeldEntry = Pick<HeldBack, 'date' | 'entryId'>;

const keyOf = ({ organizationId, accountId }: RemoteOrigin, { date, entryId }: HeldEntry) =>
  heldBackKey(organizationId, accountId, date, entryId);

/** By day. */
export async function readHeldBack({ organizationId, accountId }: RemoteOrigin): Promise<HeldBack[]> {
  const partition = heldBackPartition(organizationId);
  const items = await readCollection({ partition, between: heldBackOf(accountId), direction: 'asc' });
  return items.map((item) => v.parse(stored, item));
}

/** Rows that were held back and whose entries the former hold has released. Another invoice may hold them by now. */
export async function readReleased(origin: RemoteOrigin): Promise<HeldBack[]> {
  const heldBack = await readHeldBack(origin);
  const holds = await readHolds(origin.organizationId, heldBack);
  return heldBack.filter(({ entryId: id, holdId }) => invoiceOf({ id, holdId }, holds) === null);
}

/** The rows that are not remembered yet with this content. */
export async function newAmong(origin: RemoteOrigin, heldBack: readonly HeldBack[]): Promise<HeldBack[]> {
  const itemAt = await readItems(heldBack.map((each) => keyOf(origin, each)));
  return heldBack.filter((each) => {
    const known = itemAt(keyOf(origin, each));
    return !isSameWait(each, known && v.parse(stored, known));
  });
}

export function heldBackPut(origin: RemoteOrigin, heldBack: HeldBack): TransactItem {
  return assign({ ...keyOf(origin, heldBack), ...heldBack }, v.parser(stored));
}

export function heldBackEnd(origin: RemoteOrigin, entry: HeldEntry): TransactItem {
  return remove(keyOf(origin, entry));
}

export async function forgetHeldBack(origin: RemoteOrigin, entries: readonly HeldEntry[]): Promise<void> {
  await batchDelete(entries.map((entry) => keyOf(origin, entry)));
}
