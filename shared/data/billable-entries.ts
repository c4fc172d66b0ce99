import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoice.ts';
import { type BillableEntry, type Billing, isBillable } from '#shared/domain/tracked-time.ts';
import { batchGet } from './batch.ts';
import { readClaims } from './claims.ts';
import { parseEntry, type StoredEntry } from './entries.ts';
import { readCell } from './entry-list.ts';
import { invoiceTooLarge } from './invoice-items.ts';
import { type Cell, readLedger } from './ledger.ts';
import { mapInParallel } from './parallel.ts';
import { entryKey } from './table.ts';

/** The entries that an invoice can bill. */

export type StoredBillable = StoredEntry & BillableEntry;

export interface TimeSelection extends Billing {
  /** `YYYY-MM-DD`, inclusive */
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly projectId: string | null;
}

/**
 * The unbilled entries of a selection as they are now. The ledger says which cells hold entries of the client, and the index which these are; the
 * entries themselves are read from the table, since the index follows it with a delay.
 *
 * @throws Problem `invoice_too_large`
 */
export async function selectBillable(organizationId: string, selection: TimeSelection): Promise<StoredBillable[]> {
  const cells = await readCells(organizationId, selection);
  const listed = await unbilled(organizationId, cells.filter(selects(selection)), selection);
  if (listed.length > MAX_INVOICE_ENTRIES) {
    throw invoiceTooLarge(`The dates hold ${listed.length} entries, and an invoice bills ${MAX_INVOICE_ENTRIES}.`);
  }
  const ids = listed.map(({ id }) => id);
  return (await readUnbilled(organizationId, ids, selection)).filter(selects(selection));
}

/** Entries by their ids, in no particular order; those that do not exist are left out. */
export async function readEntries(organizationId: string, ids: readonly string[]): Promise<StoredEntry[]> {
  return (await batchGet(ids.map((id) => entryKey(organizationId, id)))).map(parseEntry);
}

/** Of entries by their ids those that can be billed and that no claim holds. */
export async function readUnbilled(
  organizationId: string,
  ids: readonly string[],
  billing: Billing,
): Promise<StoredBillable[]> {
  return unbilled(organizationId, await readEntries(organizationId, ids), billing);
}

async function unbilled(
  organizationId: string,
  entries: readonly StoredEntry[],
  billing: Billing,
): Promise<StoredBillable[]> {
  const billable = entries.filter((entry) => isBillable(entry, billing));
  const claims = await readClaims(organizationId, billable);
  return billable.filter(({ claimId }) => claimId === null || !claims.has(claimId));
}

/** Whether an entry is of the days and the project of a selection. */
export function selects({ dateFrom, dateTo, ...wanted }: TimeSelection): (entry: StoredEntry) => boolean {
  const isOfProject = (projectId: string | null) => wanted.projectId === null || projectId === wanted.projectId;
  return ({ entryDate, projectId }) => isOfProject(projectId) && entryDate >= dateFrom && entryDate <= dateTo;
}

/** Between reading the ledger and reading a cell, entries may move, and the index may be behind: then both are read again. */
const MAX_ATTEMPTS = 8;
const PAUSE_MILLISECONDS = 25;

async function readCells(organizationId: string, selection: TimeSelection): Promise<StoredEntry[]> {
  const range = { from: selection.dateFrom, to: selection.dateTo };
  for (let attempt = 1; ; attempt++) {
    const cells = (await readLedger(organizationId, range)).filter((cell) => isBillableCell(cell, selection));
    const contents = await mapInParallel(cells, (cell) => readCell(organizationId, cell, { depth: cell.entries }));
    const isComplete = contents.every((content) => content.isComplete);
    if (isComplete || attempt === MAX_ATTEMPTS) return distinct(contents.flatMap(({ items }) => items.map(parseEntry)));
    await sleep(PAUSE_MILLISECONDS * attempt);
  }
}

/** An entry that moves while its cells are read may be met in both. */
function distinct(entries: readonly StoredEntry[]): StoredEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

function isBillableCell({ dimensions }: Cell, { clientId, currency, projectId }: TimeSelection): boolean {
  return (
    dimensions.billable &&
    dimensions.clientId === clientId &&
    dimensions.currency === currency &&
    (projectId === null || dimensions.projectId === projectId)
  );
}
