import { resolveHolds } from '#shared/data/holds/billing.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { readEntries, readEntriesAndDeclined } from '#shared/data/tracker/entries.ts';
import type { Pay } from '#shared/data/tracker/entry-counts.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type DateRange, readDaySums } from '#shared/data/tracker/ledger-reading.ts';
import { readDays } from '#shared/data/tracker/read-segments.ts';
import { tooManyRemoteEntries } from '#shared/domain/remote/preview.ts';
import { withoutDeadHold } from '#shared/domain/tracker/hold.ts';
import { countOf } from '#shared/domain/tracker/list-plan.ts';

/**
 * Reads entries, and ends billings of the wanted ones whose time is over. Entries name a hold here only if an invoice
 * bills them.
 *
 * @param isWanted which entries the caller is about to change
 * @throws Problem `invoicing_in_progress` while a request is billing one of these
 */
export async function readAndResolve(
  organizationId: string,
  ids: readonly string[],
  isWanted: (entry: StoredEntry) => boolean = () => false,
): Promise<{ readonly entries: ReadonlyMap<string, StoredEntry>; readonly declinedIds: ReadonlySet<string> }> {
  const { entries, declinedIds } = await readEntriesAndDeclined(organizationId, ids);
  const holds = await resolveHolds(organizationId, entries, entries.filter(isWanted));
  return {
    entries: new Map(entries.map((entry) => [entry.id, withoutDeadHold(entry, holds)])),
    declinedIds: new Set(declinedIds),
  };
}

/** Twice the limit of the provider: entries that it has deleted, and of other accounts, count too. */
const MAX_IMPORTED_ENTRIES = 20_000;

/** 12 MB: entries of one account that take more would not fit into the answer either. */
const MAX_RANGE_READ_UNITS = 3_000;

export interface Imported {
  readonly ofRange: readonly StoredEntry[];
  readonly ofRows: ReadonlyMap<string, StoredEntry>;
}

/**
 * Nearly all entries of the rows lie on the days of the range. Only the others are looked up one by one.
 *
 * @param pay for these rows, or for the entries of the range if they are more
 * @throws Problem `too_many_remote_entries`, also when they lie among too many others
 */
export async function readImported(
  organizationId: string,
  accountId: string,
  range: DateRange,
  rowEntryIds: readonly string[],
  pay?: Pay,
): Promise<Imported> {
  const bound = boundOf('12 MB', { readUnits: MAX_RANGE_READ_UNITS });
  const cells = await readDaySums(organizationId, range, { filter: IMPORTED, figures: ['e'], bound });
  if (countOf(cells) > MAX_IMPORTED_ENTRIES) {
    throw tooManyRemoteEntries(`More than ${MAX_IMPORTED_ENTRIES} entries of this range of dates were imported before`);
  }
  await pay?.(Math.max(rowEntryIds.length, countOf(cells)));
  const entries = await readDays(organizationId, cells, IMPORTED, bound);
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const others = await readEntries(
    organizationId,
    rowEntryIds.filter((id) => !known.has(id)),
    boundOf('100 MB'),
  );
  return {
    ofRange: entries.filter(({ imported }) => imported?.accountId === accountId),
    ofRows: new Map([...known, ...others.map((entry) => [entry.id, entry] as const)]),
  };
}

function boundOf(size: string, most?: { readonly readUnits: number }): ReadBound {
  const reason = `The entries that were imported before lie among more than the ${size} that a preview reads`;
  return new ReadBound(() => tooManyRemoteEntries(reason), most);
}

const IMPORTED = { source: 'remote_api' } as const;
