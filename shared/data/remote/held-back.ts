import * as v from 'valibot';
import { readLock } from '#shared/data/directory/lock.ts';
import { readHolds } from '#shared/data/holds/holds.ts';
import { heldBackKey, heldBackOf, heldBackPartition } from '#shared/data/layout/keys.ts';
import { batchDelete, readItems } from '#shared/data/table/batch.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { assign, remove } from '#shared/data/table/writes.ts';
import { isLocked } from '#shared/domain/lock.ts';
import { type HeldBack, isSameWait } from '#shared/domain/remote/held-back.ts';
import { invoiceOf } from '#shared/domain/tracker/hold.ts';

/**
 * Invoices free entries without writing them, and so does whoever reopens a closed period. So each row that was held back
 * has an item here, which names the hold or the date it waits for. Imports put it; only a scheduled sync removes it, since what it has read at the provider is the newest.
 */

export interface RemoteOrigin {
  readonly organizationId: string;
  readonly accountId: string;
}

const stored = v.object({
  ...texts('entryId', 'date', 'content', 'heldBackAt'),
  ...nullableTexts('externalId', 'holdId'),
  lockedDate: v.optional(v.nullable(v.string()), null),
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

/** Rows that were held back, and whose entries the former hold or date has released. Another one may hold them by now. */
export async function readReleased(origin: RemoteOrigin, heldBack: readonly HeldBack[]): Promise<HeldBack[]> {
  const { organizationId } = origin;
  const [holds, lockedThrough] = await Promise.all([
    readHolds(organizationId, heldBack),
    heldBack.some(({ lockedDate }) => lockedDate !== null) ? readLock(organizationId) : null,
  ]);
  return heldBack.filter(
    ({ entryId: id, holdId, lockedDate }) =>
      invoiceOf({ id, holdId }, holds) === null && !(lockedDate && isLocked(lockedDate, lockedThrough)),
  );
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
