import { heldByPending, withoutDeadClaim } from '#shared/domain/entry.ts';
import { tooManyRemoteEntries } from '#shared/domain/remote-preview.ts';
import { batchGet } from './batch.ts';
import { whenSettled } from './claiming.ts';
import { readClaims } from './claims.ts';
import { parseEntry, type StoredEntry } from './entries.ts';
import { readCell } from './entry-list.ts';
import { type DateRange, readLedger } from './ledger.ts';
import { mapInParallel } from './parallel.ts';
import { entryKey } from './table.ts';

/** Entries as an import sees them: by the ids that its rows have, and by the account that they come from. */

/**
 * Those of the entries that exist, by id, without what they say of invoices that were voided or deleted.
 *
 * @param isWanted which of them the caller is about to change: what an invoice that is still being made holds of these is neither free nor invoiced
 * @throws Problem `invoicing_in_progress` as long as that is so
 */
export async function readEntries(
  organizationId: string,
  ids: readonly string[],
  isWanted: (entry: StoredEntry) => boolean = () => false,
): Promise<ReadonlyMap<string, StoredEntry>> {
  const keys = [...new Set(ids)].map((id) => entryKey(organizationId, id));
  const { entries, claims } = await whenSettled(
    organizationId,
    async () => {
      const present = (await batchGet(keys)).map(parseEntry);
      return { entries: present, claims: await readClaims(organizationId, present) };
    },
    (found) => {
      const wanted = found.entries.filter(isWanted);
      return wanted.map((entry) => heldByPending(entry, found.claims)).find((claimId) => claimId !== null) ?? null;
    },
  );
  return new Map(entries.map((entry) => [entry.id, withoutDeadClaim(entry, claims)]));
}

/** Twice what a provider may have in the range: those that it has no more are among them, and those of other accounts. */
const MAX_IMPORTED_ENTRIES = 20_000;

/**
 * The entries of a range of dates that were imported from an account. The index that they are read from follows the table with a delay.
 *
 * @throws Problem `too_many_remote_entries` when more entries were imported, from any account, than can be read in a request's time
 */
export async function readImported(
  organizationId: string,
  accountId: string,
  range: DateRange,
): Promise<StoredEntry[]> {
  const cells = (await readLedger(organizationId, range)).filter(
    ({ dimensions }) => dimensions.source === 'remote_api',
  );
  if (cells.reduce((sum, { entries }) => sum + entries, 0) > MAX_IMPORTED_ENTRIES) {
    throw tooManyRemoteEntries(`More than ${MAX_IMPORTED_ENTRIES} entries of this range of dates were imported before`);
  }
  const contents = await mapInParallel(cells, (cell) => readCell(organizationId, cell, { depth: cell.entries }));
  const entries = contents.flatMap(({ items }) => items.map(parseEntry));
  return entries.filter(({ imported }) => imported?.accountId === accountId);
}
