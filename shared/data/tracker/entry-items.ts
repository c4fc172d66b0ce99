import * as v from 'valibot';
import { dayKey, declinedKey, entryKey, type Key } from '#shared/data/layout/keys.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince } from '#shared/data/table/versioned.ts';
import { IS_NEW, put, remove, update } from '#shared/data/table/writes.ts';
import { fold } from '#shared/domain/text.ts';
import { ENTRY_SOURCES, type Entry } from '#shared/domain/tracker/entry.ts';

/**
 * An entry lies in the table twice: by its id, and on its day. Lists, previews and billing read many entries of a day
 * at once. One transaction writes both items, so a reader of the day sees an entry the moment it is written. An index
 * of DynamoDB's would show the entry later. The two items cost 4 write units, as much as one item with an index did. A
 * day of a hundred entries is read for some 20 units.
 *
 * The entry itself is one attribute, as JSON: it is always read as a whole. The SDK takes four microseconds to decode an attribute, and an
 * entry has twenty.
 */

/** A null is not stored, and comes back as null. */
const nullable = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null);

const importOrigin = v.object({
  jobId: v.string(),
  accountId: v.string(),
  externalId: nullable(v.string()),
  /** Digest of the row. */
  content: v.string(),
  isEdited: v.boolean(),
});

const content = v.object({
  id: v.string(),
  userId: v.string(),
  description: v.string(),
  entryDate: v.string(),
  startedAt: nullable(v.string()),
  endedAt: nullable(v.string()),
  durationMinutes: v.number(),
  billable: v.boolean(),
  rate: nullable(v.string()),
  currency: v.string(),
  source: v.picklist(ENTRY_SOURCES),
  timerSessionId: nullable(v.string()),
  clientId: nullable(v.string()),
  clientLabel: nullable(v.string()),
  projectId: nullable(v.string()),
  imported: nullable(importOrigin),
  createdAt: v.string(),
  updatedAt: v.string(),
});

const stored = v.object({
  entry: v.string(),
  version: v.number(),
  holdId: nullable(v.string()),
});

/** The attributes that {@link parseEntry} needs. */
export const ENTRY_ATTRIBUTES: readonly string[] = Object.keys(stored.entries);

/** An entry as it lies in the table: its links may be to deleted objects. */
export type StoredEntry = Entry & { readonly version: number };

/** @param item either item of the entry */
export function parseEntry(organizationId: string, item: unknown): StoredEntry {
  const { entry, ...attributes } = v.parse(stored, item);
  return { ...v.parse(content, JSON.parse(entry)), ...attributes, organizationId };
}

/**
 * The writes for an entry that comes (`before` null), changes, or goes (`after` null). The first one has the condition
 * that nobody was faster.
 */
export function entryWrites(before: StoredEntry | null, after: Entry | null): TransactItem[] {
  const writes = [];
  if (after) {
    const { byId, onDay } = itemsOf(after);
    writes.push(put(byId, before ? unchangedSince(before) : IS_NEW), put(onDay));
  } else if (before) {
    writes.push(remove(entryKey(before.organizationId, before.id), unchangedSince(before)), ...declining(before));
  }
  if (before && !(after && isSame(dayKey(before), dayKey(after)))) writes.push(remove(dayKey(before)));
  return writes;
}

/**
 * An imported entry that is removed here is declined: a schedule does not bring it back. If a confirm brings the entry
 * back, the mark stays, because it matters only while there is no entry.
 */
function declining({ organizationId, id, imported }: Entry): TransactItem[] {
  return imported === null ? [] : [put(declinedKey(organizationId, imported.accountId, id))];
}

/** A changed entry is free, so it names no hold. */
function itemsOf(entry: Entry) {
  const { clientId } = entry;
  const item = {
    entry: JSON.stringify(v.parse(content, entry), (_, value) => value ?? undefined),
    version: newVersion(),
  };
  return {
    byId: { ...entryKey(entry.organizationId, entry.id), ...item },
    onDay: { ...dayKey(entry), ...item, ...(clientId !== null && { clientId }), searchText: searchTextOf(entry) },
  };
}

/** The text that `q` searches, beside the name of the linked client. */
export function searchTextOf({ description, clientLabel }: Entry): string {
  return clientLabel === null ? fold(description) : `${fold(description)}\u0000${fold(clientLabel)}`;
}

function isSame(one: Key, other: Key): boolean {
  return one.pk === other.pk && one.sk === other.sk;
}

/** How many items of a transaction it takes to give an entry to a hold. */
export const ITEMS_OF_TAKING = 2;

/** Gives an entry to a hold, unless the entry has changed since it was read. */
export function entryTaking(entry: StoredEntry, holdId: string): TransactItem[] {
  const { ConditionExpression, ExpressionAttributeValues } = unchangedSince(entry);
  const taking = {
    UpdateExpression: 'SET holdId = :hold, version = :next',
    ConditionExpression,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':hold': holdId, ':next': newVersion() },
  };
  return [update(entryKey(entry.organizationId, entry.id), taking), update(dayKey(entry), taking)];
}
