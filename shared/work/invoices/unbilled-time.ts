import { readHolds, type StoredHolds } from '#shared/data/holds/holds.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { readEntriesOfDay } from '#shared/data/tracker/day-entries.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type Cell, readDaySums } from '#shared/data/tracker/ledger-reading.ts';
import { unbilled } from '#shared/domain/invoices/chosen-entries.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import type { BillableEntry, BillingTerms } from '#shared/domain/invoices/tracked-time.ts';
import { fault, overloaded } from '#shared/domain/problems.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';

export type StoredBillable = StoredEntry & BillableEntry;

export interface TimeSelection extends BillingTerms {
  /** `YYYY-MM-DD`, inclusive */
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly projectId: string | null;
}

/** Free entries, and the holds that they name. */
export interface Unbilled {
  readonly entries: readonly StoredBillable[];
  readonly holds: StoredHolds;
}

/** Cells of billable entries, invoiced or not. @throws Problem `invoice_too_large` */
export async function countSelected(organizationId: string, selection: TimeSelection): Promise<Cell[]> {
  const { currency, dateFrom, dateTo } = selection;
  const range = { from: dateFrom, to: dateTo };
  const cells = await readDaySums(organizationId, range, { filter: filterOf(selection), bound: boundOfDays() });
  return cells.filter(({ dimensions }) => dimensions.currency === currency);
}

const filterOf = ({ clientId, projectId }: TimeSelection) => {
  return { clientId, projectId: projectId ?? undefined, billable: true };
};

/** @throws Problem `invoice_too_large`; `temporarily_unavailable` when others keep changing the client's time there */
export async function selectUnbilled(
  organizationId: string,
  selection: TimeSelection,
  counted: readonly Cell[],
): Promise<Unbilled> {
  const found = await readSelected(organizationId, selection, counted);
  const holds = await readHolds(organizationId, found);
  const entries = unbilled(found, holds, selection);
  if (entries.length > MAX_INVOICE_ENTRIES) {
    throw invoiceTooLarge(`The dates hold ${entries.length} entries, and an invoice bills ${MAX_INVOICE_ENTRIES}.`);
  }
  return { entries, holds };
}

/** Leaves out entries that cannot be billed, or that an invoice bills. */
export async function readUnbilled(
  organizationId: string,
  ids: readonly string[],
  terms: BillingTerms,
): Promise<Unbilled> {
  const found = await readEntries(organizationId, ids);
  const holds = await readHolds(organizationId, found);
  return { entries: unbilled(found, holds, terms), holds };
}

export function selects({ dateFrom, dateTo, ...wanted }: TimeSelection): (entry: StoredEntry) => boolean {
  const isOfProject = (projectId: string | null) => wanted.projectId === null || projectId === wanted.projectId;
  return ({ entryDate, projectId }) => isOfProject(projectId) && entryDate >= dateFrom && entryDate <= dateTo;
}

const boundOfDays = () =>
  new ReadBound(() =>
    fault('invoice_too_large', 'timeEntries', 'The days take more than the 100 MB that a request reads: bill fewer.'),
  );

const MAX_ATTEMPTS = 8;

/**
 * All billable entries of the selection. One that moves to another day meanwhile is missing or comes twice. So they are
 * read again until none is twice, and their number, minutes and amount are those of the ledger.
 */
async function readSelected(
  organizationId: string,
  selection: TimeSelection,
  counted: readonly Cell[],
): Promise<StoredEntry[]> {
  const filter = filterOf(selection);
  const bound = boundOfDays();
  let cells = counted;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const days = [...Map.groupBy(cells, ({ date }) => date)];
    const readings = await mapInParallel(days, ([date, parts]) =>
      readEntriesOfDay(organizationId, date, parts, filter, bound),
    );
    const entries = readings.flat().filter(({ currency }) => currency === selection.currency);
    if (comeOnce(entries) && areCounted(entries, cells)) return entries;
    cells = await countSelected(organizationId, selection);
  }
  throw overloaded();
}

const comeOnce = (entries: readonly StoredEntry[]) => new Set(entries.map(({ id }) => id)).size === entries.length;

function areCounted(entries: readonly StoredEntry[], cells: readonly Cell[]): boolean {
  const found = Map.groupBy(entries, ({ entryDate }) => entryDate);
  return [...Map.groupBy(cells, ({ date }) => date)].every(
    ([date, counted]) => balanceOf(counted) === balanceOf((found.get(date) ?? []).map(sumsOf)),
  );
}

type Balance = Pick<Cell, 'entries' | 'minutes' | 'amountMinor'>;

function sumsOf(entry: StoredEntry): Balance {
  return { entries: 1, minutes: entry.durationMinutes, amountMinor: amountMinorOf(entry) };
}

function balanceOf(sums: readonly Balance[]): string {
  const add = (figure: keyof Balance) => sums.reduce((total, each) => total + BigInt(each[figure]), 0n);
  return [add('entries'), add('minutes'), add('amountMinor')].join(' ');
}
