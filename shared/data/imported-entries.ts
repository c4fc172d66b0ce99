import { batchGet } from './batch.ts';
import { parseEntry, type StoredEntry } from './entries.ts';
import { readCell } from './entry-list.ts';
import { type DateRange, readLedger } from './ledger.ts';
import { mapInParallel } from './parallel.ts';
import { entryKey } from './table.ts';

/** Entries as an import sees them: by the ids that its rows have, and by the account that they come from. */

/** Those of the entries that exist, by id. */
export async function readEntries(
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEntry>> {
  const items = await batchGet([...new Set(ids)].map((id) => entryKey(organizationId, id)));
  return new Map(items.map(parseEntry).map((entry) => [entry.id, entry]));
}

/** The entries of a range of dates that were imported from an account. The index that they are read from follows the table with a delay. */
export async function readImported(
  organizationId: string,
  accountId: string,
  range: DateRange,
): Promise<StoredEntry[]> {
  const cells = (await readLedger(organizationId, range)).filter(
    ({ dimensions }) => dimensions.source === 'remote_api',
  );
  const contents = await mapInParallel(cells, (cell) => readCell(organizationId, cell, { depth: cell.entries }));
  const entries = contents.flatMap(({ items }) => items.map(parseEntry));
  return entries.filter(({ imported }) => imported?.accountId === accountId);
}
