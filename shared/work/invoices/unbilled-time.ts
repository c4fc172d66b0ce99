import { readHolds, type StoredHolds } from '#shared/data/holds/holds.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type Cell, readDaySums, readDaysOfPages } from '#shared/data/tracker/ledger-reading.ts';
import { readDays } from '#shared/data/tracker/read-segments.ts';
import { unbilled } from '#shared/domain/invoices/chosen-entries.ts';
import { MAX_INVOICE_ENTRIES, type Skipped } from '#shared/domain/invoices/invoice.ts';
import { invoiceTooLarge } from '#shared/domain/invoices/invoice-size.ts';
import { type BillableEntry, type BillingTerms, hasRate } from '#shared/domain/invoices/tracked-time.ts';
import { fault, overloaded } from '#shared/domain/problems.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import { countOf, matches } from '#shared/domain/tracker/list-plan.ts';

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

/**
 * Cells of billable entries, invoiced or not, and of other entries that lie on the same pages. The pages of a client hold
 * all, those of a project perhaps only the months with billable time.
 *
 * @throws Problem `invoice_too_large`
 */
export async function countTime(organizationId: string, selection: TimeSelection): Promise<Cell[]> {
  const reading = { filter: filterOf(selection), bound: boundOfDays() };
  const cells = await readDaysOfPages(organizationId, rangeOf(selection), reading);
  return cells.filter(({ dimensions }) => matches(dimensions, wantedOf(selection)));
}

export function selectedCells(cells: readonly Cell[], { currency }: TimeSelection): Cell[] {
  return cells.filter(({ dimensions }) => dimensions.billable && dimensions.currency === currency);
}

const rangeOf = ({ dateFrom, dateTo }: TimeSelection) => ({ from: dateFrom, to: dateTo });

const wantedOf = ({ clientId, projectId }: TimeSelection) => ({ clientId, projectId: projectId ?? undefined });

const filterOf = (selection: TimeSelection) => ({ ...wantedOf(selection), billable: true });

/** @throws Problem `invoice_too_large`; `temporarily_unavailable` when others keep changing the client's time there */
export async function selectUnbilled(
  organizationId: string,
  selection: TimeSelection,
  counted: readonly Cell[],
): Promise<Unbilled & { readonly found: readonly StoredEntry[] }> {
  const found = await readSelected(organizationId, selection, counted);
  const holds = await readHolds(organizationId, found);
  const entries = unbilled(found, holds, selection);
  if (entries.length > MAX_INVOICE_ENTRIES) {
    throw invoiceTooLarge(`The dates hold ${entries.length} entries, and an invoice bills ${MAX_INVOICE_ENTRIES}.`);
  }
  return { found, entries, holds };
}

/**
 * Why a selection has nothing to bill: how many entries for each reason. Those in its currency were read to find that
 * out; those in other currencies are read to see whether they have a rate.
 *
 * @param counted by {@link countTime}
 * @param found the billable entries in the currency of the selection
 */
export async function countSkipped(
  organizationId: string,
  selection: TimeSelection,
  counted: readonly Cell[],
  found: readonly StoredEntry[],
): Promise<Skipped> {
  const reading = { filter: wantedOf(selection), bound: boundOfDays() };
  const all = selection.projectId === null ? counted : await readDaySums(organizationId, rangeOf(selection), reading);
  const notBillable = all.filter(({ dimensions }) => !dimensions.billable);
  const inOthers = all.filter(({ dimensions }) => dimensions.billable && dimensions.currency !== selection.currency);
  const dates = new Set(inOthers.map(({ period }) => period));
  const onDates = all.filter(({ period }) => dates.has(period));
  const read = await readIfFew(organizationId, onDates, selection);
  const others = read.filter((entry) => entry.currency !== selection.currency);
  return {
    notBillable: countOf(notBillable),
    noRate: [...found, ...others].filter((entry) => !hasRate(entry)).length,
    otherCurrency: read.length > 0 ? others.filter(hasRate).length : countOf(inOthers),
    invoiced: found.filter(hasRate).length,
  };
}

/** One token of the rate limit pays for looking through so many. Entries beyond that are not told apart by rate. */
const MAX_LOOKED_THROUGH = 500;

async function readIfFew(organizationId: string, cells: readonly Cell[], selection: TimeSelection) {
  if (countOf(cells) > MAX_LOOKED_THROUGH) return [];
  return readDays(organizationId, cells, filterOf(selection), boundOfDays());
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
 * read again until none is twice, and their number, minutes, billed or not, and amount are those of the ledger.
 */
async function readSelected(
  organizationId: string,
  selection: TimeSelection,
  counted: readonly Cell[],
): Promise<StoredEntry[]> {
  const bound = boundOfDays();
  let cells = counted;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const billable = await readDays(organizationId, cells, filterOf(selection), bound);
    const entries = billable.filter(({ currency }) => currency === selection.currency);
    if (haveUniqueIds(entries) && areCounted(entries, cells)) return entries;
    cells = selectedCells(await countTime(organizationId, selection), selection);
  }
  throw overloaded();
}

const haveUniqueIds = (entries: readonly StoredEntry[]) => new Set(entries.map(({ id }) => id)).size === entries.length;

function areCounted(entries: readonly StoredEntry[], cells: readonly Cell[]): boolean {
  const found = Map.groupBy(entries, ({ entryDate }) => entryDate);
  return [...Map.groupBy(cells, ({ period }) => period)].every(
    ([date, counted]) => balanceOf(counted) === balanceOf((found.get(date) ?? []).map(sumsOf)),
  );
}

type Balance = Pick<Cell, 'entries' | 'minutes' | 'billedMinutes' | 'amountMinor'>;

function sumsOf(entry: StoredEntry): Balance {
  const { durationMinutes: minutes, billedMinutes } = entry;
  return { entries: 1, minutes, billedMinutes, amountMinor: amountMinorOf(entry) };
}

function balanceOf(sums: readonly Balance[]): string {
  const add = (figure: keyof Balance) => sums.reduce((total, each) => total + BigInt(each[figure]), 0n);
  return [add('entries'), add('minutes'), add('billedMinutes'), add('amountMinor')].join(' ');
}
