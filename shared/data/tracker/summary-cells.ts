import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { type Span, splitByMonths } from '#shared/domain/date-range.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import type { GroupedCell, Grouping } from '#shared/domain/tracker/summary-groups.ts';
import type { StoredEntry } from './entry-items.ts';
import { boundOfSums, type Pay, scanEntries } from './entry-scan.ts';
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
  if (needs('user')) return (await scanEntries(organizationId, range, (entries) => entries.map(cellOf), pay)).flat();
  await pay?.(0);
  const bound = boundOfSums();
  if (needs('day', 'week')) return readDayCells(organizationId, range, bound);
  return needs('month') ? readMonthCells(organizationId, range, bound) : readAmounts(organizationId, range, bound);
}

async function readDayCells(organizationId: string, range: Span, bound: ReadBound): Promise<GroupedCell[]> {
  const cells = await readDaySums(organizationId, range, { figures: FIGURES, bound });
  return cells.map(({ date, ...sums }) => ({ ...sums, period: date }));
}

async function readMonthCells(organizationId: string, range: Span, bound: ReadBound): Promise<GroupedCell[]> {
  const { months, dates } = splitByMonths(range);
  const [whole, ...parts] = await Promise.all([
    months ? readMonthSums(organizationId, months, { figures: FIGURES, bound }) : [],
    ...dates.map((span) => readDayCells(organizationId, span, bound)),
  ]);
  const cells = whole.map(({ month, ...sums }) => ({ ...sums, period: month }));
  return [...cells, ...parts.flat()];
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
