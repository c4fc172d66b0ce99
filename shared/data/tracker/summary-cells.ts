import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { type Span, splitByMonths } from '#shared/domain/date-range.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import type { GroupedCell, Grouping } from '#shared/domain/tracker/summary-groups.ts';
import { boundOfSums } from './entry-counts.ts';
import type { StoredEntry } from './entry-items.ts';
import { type Pay, planScan, scanEntries } from './entry-scan.ts';
import { readAmounts, readDaySums, readMonthSums } from './ledger-reading.ts';

/** The ledger does not know users: they take a reading of all entries. */

const FIGURES = ['m', 'a'] as const;

/** As fine as the groupings need. @throws Problem `range_too_large` */
export async function readSummaryCells(
  organizationId: string,
  range: Span,
  groupings: readonly Grouping[],
  pay?: Pay,
): Promise<GroupedCell[]> {
  const needs = (...some: readonly Grouping[]) => some.some((grouping) => groupings.includes(grouping));
  if (needs('user')) {
    const segments = await planScan(organizationId, range, pay);
    return (await scanEntries(organizationId, range, segments, (entries) => entries.map(cellOf))).flat();
  }
  await pay?.(0);
  const bound = boundOfSums();
  if (needs('day', 'week')) return readDaySums(organizationId, range, { figures: FIGURES, bound });
  return needs('month') ? readMonthCells(organizationId, range, bound) : readAmounts(organizationId, range, bound);
}

async function readMonthCells(organizationId: string, range: Span, bound: ReadBound): Promise<GroupedCell[]> {
  const reading = { figures: FIGURES, bound };
  const { months, dates } = splitByMonths(range);
  const cells = await Promise.all([
    months ? readMonthSums(organizationId, months, reading) : [],
    ...dates.map((span) => readDaySums(organizationId, span, reading)),
  ]);
  return cells.flat();
}

function cellOf(entry: StoredEntry): GroupedCell {
  const { projectId, clientId, currency, billable, durationMinutes, entryDate, userId } = entry;
  return {
    dimensions: { projectId, clientId, currency, billable },
    minutes: durationMinutes,
    amountMinor: amountMinorOf(entry),
    period: entryDate,
    userId,
  };
}
