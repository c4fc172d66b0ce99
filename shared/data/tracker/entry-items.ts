import * as v from 'valibot';
import { dayKey, entryKey, entryMetadataKey, type Key } from '#shared/data/layout/keys.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince } from '#shared/data/table/versioned.ts';
import { assign, type Condition, IS_ABSENT, put, remove, update } from '#shared/data/table/writes.ts';
import type { BilledUnits } from '#shared/domain/invoices/billing-time.ts';
import { foldText } from '#shared/domain/text.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';

/**
 * An entry lies in the table by its id, and on its day, where many are read at once. One transaction writes both items,
 * so a reader of the day sees an entry at once, and not as late as in an index.
 *
 * The entry is one attribute, because the SDK takes four microseconds to decode each, and an entry has twenty. Names of
 * members would take 230 bytes, so the JSON has their values in a fixed order, without what is empty at its end. A newer
 * version may have more of them, behind these: a change carries them.
 */

const importOrigin = {
  jobId: v.string(),
  accountId: v.string(),
  externalId: v.nullable(v.string()),
  /** Digest of the row. */
  content: v.string(),
  isEdited: v.boolean(),
  userLabel: v.nullable(v.string()),
};

/** Milliseconds are half as long as ISO 8601. */
const instant = v.pipe(
  v.number(),
  v.transform((milliseconds) => new Date(milliseconds).toISOString()),
);

const content = {
  id: v.string(),
  userId: v.string(),
  description: v.string(),
  entryDate: v.string(),
  startedAt: v.nullable(v.string()),
  endedAt: v.nullable(v.string()),
  durationMinutes: v.number(),
  billable: v.boolean(),
  rate: v.nullable(v.string()),
  currency: v.string(),
  /** Any text, since keys of the ledger have it. */
  source: v.string(),
  timerSessionId: v.nullable(v.string()),
  clientId: v.nullable(v.string()),
  clientLabel: v.nullable(v.string()),
  projectId: v.nullable(v.string()),
  imported: v.nullable(asValues(importOrigin)),
  createdAt: instant,
  updatedAt: instant,
  tags: v.optional(v.array(v.string()), []),
  /** Null: those of the work. */
  billedMinutes: v.optional(v.nullable(v.number()), null),
};

/** An object that is stored as the values of its members, in their order here. */
function asValues<Members extends Record<string, v.GenericSchema>>(members: Members) {
  type Output = { [Name in keyof Members]: v.InferOutput<Members[Name]> };
  const names = Object.keys(members);
  const objectOf = (values: unknown[]) => {
    const object: Record<string, unknown> = {};
    for (const [position, name] of names.entries()) object[name] = values[position];
    return object as Output;
  };
  const schemas: readonly v.GenericSchema[] = Object.values(members);
  return v.pipe(v.tupleWithRest(schemas, v.unknown()), v.transform(objectOf));
}

function valuesOf<Members extends v.ObjectEntries>(
  members: Members,
  object: Readonly<Record<keyof Members, unknown>>,
  later: readonly unknown[] = [],
) {
  return [...Object.keys(members).map((name) => object[name]), ...later];
}

/** Values behind those that this version knows: of the entry, and of where it was imported from. */
interface Later {
  readonly ofEntry: readonly unknown[];
  readonly ofImport: readonly unknown[];
}

const NAMES = Object.keys(content);
const NAMES_OF_IMPORT = Object.keys(importOrigin);
const IMPORTED = NAMES.indexOf('imported');

function laterIn(values: readonly unknown[]): Later | undefined {
  const imported = values[IMPORTED];
  const ofEntry = values.slice(NAMES.length);
  const ofImport = Array.isArray(imported) ? imported.slice(NAMES_OF_IMPORT.length) : [];
  return ofEntry.length + ofImport.length === 0 ? undefined : { ofEntry, ofImport };
}

const storedContent = asValues(content);

const stored = v.object({
  entry: v.string(),
  version: v.number(),
  holdId: v.optional(v.nullable(v.string()), null),
  hasMetadata: v.optional(v.boolean()),
});

export const ENTRY_ATTRIBUTES: readonly string[] = Object.keys(stored.entries);

/** Its links may be to deleted objects. */
export type StoredEntry = Entry & { readonly version: number; readonly later?: Later };

/** @param item either item of the entry */
export function parseEntry(organizationId: string, item: unknown): StoredEntry {
  const { entry, ...attributes } = v.parse(stored, item);
  const values: unknown[] = JSON.parse(entry);
  const { billedMinutes, ...own } = v.parse(storedContent, values);
  const parsed = { ...own, billedMinutes: billedMinutes ?? own.durationMinutes, ...attributes, organizationId };
  const later = laterIn(values);
  return later ? { ...parsed, later } : parsed;
}

const declinedItem = v.object({ declinedId: v.string() });

/** The id of the imported entry that was removed; undefined if the item is an entry. */
export function declinedIdOf(item: unknown): string | undefined {
  const { success, output } = v.safeParse(declinedItem, item);
  return success ? output.declinedId : undefined;
}

/** There is no entry, but one may have been removed. */
const NO_ENTRY: Condition = { ConditionExpression: 'attribute_not_exists(entry)' };

/** `before` is null for a new entry, `after` for one that goes. */
export interface StoredChange {
  readonly before: StoredEntry | null;
  readonly after: Entry | null;
  /** Whether it is written only if no entry of this id was declined. */
  readonly respectsRemoval?: boolean;
  /** Whether the entry stays on its invoice. */
  readonly keepsHold?: boolean;
  /** Whether the work stays as it is, which a closed period takes: only metadata change. */
  readonly keepsWork?: boolean;
}

/** The first write has the condition that nobody was faster. */
export function entryWrites({ before, after, respectsRemoval, keepsHold }: StoredChange): TransactItem[] {
  const writes = [];
  const staysOnDay = before && after && isSame(dayKey(before), dayKey(after));
  if (after) {
    const { byId, onDay } = itemsOf(after, before?.later);
    const isAbsent = respectsRemoval ? IS_ABSENT : NO_ENTRY;
    const read = (item: unknown) => parseEntry(after.organizationId, item);
    const gone = { ...(!keepsHold && UNHELD), ...(before?.hasMetadata && !after.hasMetadata && WITHOUT_METADATA) };
    writes.push(before ? assign({ ...byId, ...gone }, read, unchangedSince(before)) : put(byId, read, isAbsent));
    writes.push(staysOnDay ? assign({ ...onDay, ...gone }, read) : put(onDay, read));
  } else if (before) {
    writes.push(removal(before));
    if (before.hasMetadata) writes.push(remove(entryMetadataKey(before.organizationId, before.id)));
  }
  if (before && !staysOnDay) writes.push(remove(dayKey(before)));
  return writes;
}

/** A changed entry names no hold. */
const UNHELD = { holdId: undefined };

const WITHOUT_METADATA = { hasMetadata: undefined };

/** An imported entry that is removed here is declined: its item says so until a confirm brings it back. */
function removal(entry: StoredEntry): TransactItem {
  const key = entryKey(entry.organizationId, entry.id);
  return entry.imported === null
    ? remove(key, unchangedSince(entry))
    : put({ ...key, declinedId: entry.id }, v.parser(declinedItem), unchangedSince(entry));
}

function itemsOf(entry: Entry, later?: Later) {
  const { clientId, imported, durationMinutes, billedMinutes } = entry;
  const packed = {
    ...entry,
    imported: imported && valuesOf(importOrigin, imported, later?.ofImport),
    createdAt: Date.parse(entry.createdAt),
    updatedAt: Date.parse(entry.updatedAt),
    billedMinutes: billedMinutes === durationMinutes ? null : billedMinutes,
  };
  const values = withoutEmptyEnd(valuesOf(content, packed, later?.ofEntry));
  const item = {
    entry: JSON.stringify(values),
    version: newVersion(),
    ...(entry.hasMetadata && { hasMetadata: true }),
  };
  return {
    byId: { ...entryKey(entry.organizationId, entry.id), ...item },
    onDay: { ...dayKey(entry), ...item, ...(clientId !== null && { clientId }), searchText: searchTextOf(entry) },
  };
}

/** What was added to an entry takes no room where it has none. */
function withoutEmptyEnd(values: readonly unknown[]): readonly unknown[] {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return values.slice(0, values.findLastIndex((value) => !isEmpty(value)) + 1);
}

/** `q` also searches the name of the linked client. */
export function searchTextOf({ description, clientLabel, imported }: Entry): string {
  const texts = [description, clientLabel, imported?.userLabel ?? null];
  return texts
    .filter((text) => text !== null)
    .map(foldText)
    .join('\u0000');
}

function isSame(one: Key, other: Key): boolean {
  return one.pk === other.pk && one.sk === other.sk;
}

export const ITEMS_OF_TAKING = 2;

export function entryTaking(entry: StoredEntry, holdId: string): TransactItem[] {
  const { ConditionExpression, ExpressionAttributeValues } = unchangedSince(entry);
  const taking = {
    UpdateExpression: 'SET holdId = :hold, version = :next',
    ConditionExpression,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':hold': holdId, ':next': newVersion() },
  };
  return [update(entryKey(entry.organizationId, entry.id), taking), update(dayKey(entry), taking)];
}

/** Write units, which are those of the whole items. */
export function takingUnits(entry: StoredEntry): BilledUnits {
  const { byId, onDay } = itemsOf(entry, entry.later);
  const unitsOf = (item: object) => writeUnitsOf({ ...item, holdId: entry.id }) * UNITS_IN_TRANSACTION;
  return { entryDate: entry.entryDate, byId: unitsOf(byId), onDay: unitsOf(onDay) };
}
