import { settleHolds } from '#shared/data/holds/billing.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { readEntriesOfDay } from '#shared/data/tracker/day-entries.ts';
import { readEntries, readEntriesAndDeclined } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type DateRange, readDaySums } from '#shared/data/tracker/ledger-reading.ts';
import { tooManyRemoteEntries } from '#shared/domain/remote/preview.ts';
import { countOf } from '#shared/domain/tracker/counted-page.ts';
import { withoutDeadHold } from '#shared/domain/tracker/hold.ts';

/** Entries as an import sees them: by the ids of its rows, and by the account that they come from. */

/**
 * The existing entries among some ids, by id, and the ids of those that were removed here. An entry names a hold only
 * if an invoice bills it.
 *
 * @param isWanted which of them the caller is about to change
 * @throws Problem `invoicing_in_progress` while a request is billing one of these: it is then neither free nor invoiced
 */
export async function readAndSettle(
  organizationId: string,
  ids: readonly string[],
  isWanted: (entry: StoredEntry) => boolean = () => false,
): Promise<{ readonly entries: ReadonlyMap<string, StoredEntry>; readonly declinedIds: ReadonlySet<string> }> {
  const { entries, declinedIds } = await readEntriesAndDeclined(organizationId, ids);
  const holds = await settleHolds(organizationId, entries, entries.filter(isWanted));
  return {
    entries: new Map(entries.map((entry) => [entry.id, withoutDeadHold(entry, holds)])),
    declinedIds: new Set(declinedIds),
  };
}

/**
 * Twice what a provider may have in the range. Entries that the provider has deleted count too, and those of other
 * accounts.
 */
const MAX_IMPORTED_ENTRIES = 20_000;

/**
 * Entries that were imported from an account: those of a range of dates, and those of rows, wherever they are now.
 */
export interface Imported {
  readonly ofRange: readonly StoredEntry[];
  /** By id. */
  readonly ofRows: ReadonlyMap<string, StoredEntry>;
}

/**
 * The entries that a preview compares rows with. Nearly all entries of the rows lie on the days of the range. Only the
 * others are looked up one by one.
 *
 * @throws Problem `too_many_remote_entries` when more entries were imported, from any account, than a request has time
 * to read, or when they lie among more than it looks through
 */
export async function readImported(
  organizationId: string,
  accountId: string,
  range: DateRange,
  rowEntryIds: readonly string[],
): Promise<Imported> {
  const bound = new ReadBound(() =>
    tooManyRemoteEntries('The entries that were imported before lie among more than the 100 MB that a request reads'),
  );
  const cells = await readDaySums(organizationId, range, { filter: IMPORTED, figures: ['e'], bound });
  if (countOf(cells) > MAX_IMPORTED_ENTRIES) {
    throw tooManyRemoteEntries(`More than ${MAX_IMPORTED_ENTRIES} entries of this range of dates were imported before`);
  }
  const days = [...Map.groupBy(cells, ({ date }) => date)];
  const entries = (
    await mapInParallel(days, ([date, parts]) => readEntriesOfDay(organizationId, date, parts, IMPORTED, bound))
  ).flat();
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const others = await readEntries(
    organizationId,
    rowEntryIds.filter((id) => !known.has(id)),
    bound,
  );
  return {
    ofRange: entries.filter(({ imported }) => imported?.accountId === accountId),
    ofRows: new Map([...known, ...others.map((entry) => [entry.id, entry] as const)]),
  };
}

const IMPORTED = { source: 'remote_api' } as const;
