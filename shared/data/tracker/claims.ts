import * as v from 'valibot';
import { batchGet } from '#shared/data/dynamo/batch.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { claimedEntriesKey, claimKey, releasingKey } from '#shared/data/dynamo/keys.ts';
import { pack, unpack } from '#shared/data/dynamo/packed.ts';
import type { TransactItem } from '#shared/data/dynamo/transaction.ts';
import type { Claims } from '#shared/domain/tracker/present-entry.ts';
import { entryUpdates, type StoredEntry } from './entry-items.ts';

/**
 * Claims: which entries are on which invoice. An entry names the claim that holds it, and the claim has an item of its
 * own. An entry is on an invoice only while that item exists.
 *
 * So an invoice takes thousands of entries in many transactions, before its claim exists (`claim-time.ts`). It lets go
 * of all of them at once: one item is deleted, and what the entries still say of the claim is cleared in the
 * background. A claim's id is used once: a claim never again holds what it has let go of.
 */

const claim = v.object({ id: v.string() });

/** Those claims of the entries that hold, read with strong consistency. */
export async function readClaims(
  organizationId: string,
  entries: readonly { readonly claimId?: string | null }[],
): Promise<Claims> {
  const ids = new Set(entries.flatMap(({ claimId }) => claimId ?? []));
  const items = await batchGet([...ids].map((id) => claimKey(organizationId, id)));
  return new Set(items.map((item) => v.parse(claim, item).id));
}

/** Makes a claim. Fails if it exists already. */
export function claimPut(organizationId: string, id: string): TransactItem {
  const Item = { ...claimKey(organizationId, id), id };
  return { Put: { TableName: TABLE_NAME, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

/** The condition that a claim still holds, for a transaction that gives it entries. */
export function claimCheck(organizationId: string, id: string): TransactItem {
  const Key = claimKey(organizationId, id);
  return { ConditionCheck: { TableName: TABLE_NAME, Key, ConditionExpression: 'attribute_exists(pk)' } };
}

/**
 * Lists the entries that a claim is for. The list is written no later than the first of them is claimed, so no entry
 * can be forgotten.
 */
export async function claimedEntriesPut(
  organizationId: string,
  id: string,
  entries: readonly Pick<StoredEntry, 'id'>[],
): Promise<TransactItem> {
  const [packed, ...others] = await pack(entries.map((entry) => entry.id));
  if (others.length > 0) throw new Error(`A claim of ${entries.length} entries.`);
  return { Put: { TableName: TABLE_NAME, Item: { ...claimedEntriesKey(organizationId, id), packed } } };
}

const entryIdsItem = v.object({ packed: v.instance(Uint8Array) });

const entryIdList = v.array(v.string());

/** What {@link claimedEntriesPut} wrote; empty if the claim ended before it. */
export async function readClaimedEntries(organizationId: string, id: string): Promise<string[]> {
  const item = await readItem(claimedEntriesKey(organizationId, id));
  return item ? v.parse(entryIdList, await unpack([v.parse(entryIdsItem, item).packed])) : [];
}

interface EntryHolder {
  readonly invoiceId: string;
  readonly claimId: string;
}

/** How many items of a transaction an entry takes when it comes to a claim or leaves it. */
export const ITEMS_OF_ENTRY = 2;

/** Gives an entry to a claim, unless it has changed since it was read. */
export function entryClaim(entry: StoredEntry, { invoiceId, claimId }: EntryHolder): TransactItem[] {
  return entryUpdates(entry, {
    UpdateExpression: 'SET invoiceId = :invoice, claimId = :claim ADD version :one',
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':invoice': invoiceId, ':claim': claimId, ':one': 1, ':version': entry.version },
  });
}

/** Clears what an entry says of an ended claim, unless another claim has the entry by now. */
export function entryRelease(entry: StoredEntry, claimId: string): TransactItem[] {
  return entryUpdates(entry, {
    UpdateExpression: 'REMOVE invoiceId, claimId ADD version :one',
    ConditionExpression: 'claimId = :claim',
    ExpressionAttributeValues: { ':claim': claimId, ':one': 1 },
  });
}

/** Ends claims. Leaves a record for each of what is still to be cleared (`release.ts`). */
export function claimEnds(organizationId: string, ids: readonly string[], now: Date): TransactItem[] {
  return ids.flatMap((claimId) => [
    { Delete: { TableName: TABLE_NAME, Key: claimKey(organizationId, claimId) } },
    releasingPut(organizationId, claimId, now),
  ]);
}

export function releasingPut(organizationId: string, claimId: string, now: Date): TransactItem {
  const Item = { ...releasingKey(organizationId, claimId), organizationId, claimId, createdAt: now.toISOString() };
  return { Put: { TableName: TABLE_NAME, Item } };
}
