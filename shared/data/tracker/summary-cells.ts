import type { Directory } from '#shared/data/directory/directory.ts';
import { type Span, splitByMonths } from '#shared/domain/date-range.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import type { BillingStatus } from '#shared/domain/tracker/present-entry.ts';
import type { GroupedCell, Grouping } from '#shared/domain/tracker/summary-groups.ts';
import { boundOfSums, type Pay } from './entry-counts.ts';
import type { StoredEntry } from './entry-items.ts';
import { planScan, scanEntries } from './entry-scan.ts';
import { searchEntries } from './entry-search.ts';
import { type LedgerQuery, readAmounts, readDaySums, readMonthSums } from './ledger-reading.ts';

/** The ledger knows neither users nor invoices: they take a reading of all entries. */

const FIGURES = ['m', 'a', 'b'] as const;

interface Wanted extends Span {
  readonly groupBy?: readonly Grouping[];
  readonly billingStatus?: BillingStatus;
}

/** As fine as the groupings need. @throws Problem `range_too_large` */
export async function readSummaryCells(
  organizationId: string,
  { groupBy = [], billingStatus, ...range }: Wanted,
  directory: Promise<Directory>,
  pay?: Pay,
): Promise<GroupedCell[]> {
  const needs = (...some: readonly Grouping[]) => some.some((grouping) => groupBy.includes(grouping));
  // Only billable entries can be on an invoice, so the ledger knows all others.
  const scan = { ...range, ...(billingStatus && { billable: billingStatus !== 'non_billable' }) };
  if (scan.billable) {
    const { items } = await searchEntries(organizationId, { ...scan, billingStatus }, directory, pay);
    return items.map(cellOf);
  }
  if (needs('user')) {
    const segments = await planScan(organizationId, scan, pay);
    return (await scanEntries(organizationId, scan, segments, (entries) => entries.map(cellOf))).flat();
  }
  await pay?.(0);
  const reading = { filter: scan, figures: FIGURES, bound: boundOfSums() };
  if (needs('day', 'week')) return readDaySums(organizationId, range, reading);
  return needs('month') ? readMonthCells(organizationId, range, reading) : readAmounts(organizationId, range, reading);
}

async function readMonthCells(organizationId: string, range: Span, reading: LedgerQuery): Promise<GroupedCell[]> {
  const { months, dates } = splitByMonths(range);
  const cells = await Promise.all([
    months ? readMonthSums(organizationId, months, reading) : [],
    ...dates.map((span) => readDaySums(organizationId, span, reading)),
  ]);
  return cells.flat();
}

function cellOf(entry: StoredEntry): GroupedCell {
  const { projectId, clientId, currency, billable, durationMinutes, billedMinutes, entryDate, userId } = entry;
  return {
    dimensions: { projectId, clientId, currency, billable },
    minutes: durationMinutes,
    billedMinutes,
    amountMinor: amountMinorOf(entry),
    period: entryDate,
    userId,
  };
}
