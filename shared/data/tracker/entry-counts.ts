import { mapInParallel } from '#shared/data/table/parallel.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { monthsTouched, type Span, splitByMonths } from '#shared/domain/date-range.ts';
import { assertRowsFit } from '#shared/domain/export.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import {
  areRangesLong,
  type Count,
  type CountedPage,
  countOf,
  crowdedDaysOf,
  type DimensionFilter,
  hasDimension,
  isMonth,
  narrowed,
  type PageWindow,
  rangesByProject,
  withOpened,
} from '#shared/domain/tracker/list-plan.ts';
import { readCalendarDays, readCalendarMonths } from './calendar.ts';
import {
  type DateRange,
  readDaySums,
  readDaysOfCells,
  readDaysOfPages,
  readMonthSums,
  spanOf,
} from './ledger-reading.ts';
import { sampleDay } from './read-segments.ts';

/** How many entries match a filter: by the calendar, which counts all, or with dimensions by the ledger. */

export interface RangeFilter extends DateRange, DimensionFilter {}

/** Pays before a reading begins. @param entries that have to be looked through, as counted */
export type Pay = (entries: number) => Promise<void>;

export const MAX_SCANNED_ENTRIES = 50_000;

export const boundOfScan = () =>
  new ReadBound(() => rangeTooLarge('The range takes more than the 100 MB that a request reads'));

/** 20 MB of the ledger are some 100,000 pages. They weigh one token, and those of a minute cost less than 50 cents. */
const MAX_UNITS_OF_SUMS = 5_000;

export const boundOfSums = () =>
  new ReadBound(() => rangeTooLarge('The range has more than the 20 MB of sums that a request adds up'), {
    readUnits: MAX_UNITS_OF_SUMS,
  });

export function rangeTooLarge(reason: string): Problem {
  return fault('range_too_large', 'dateFrom', `${reason}: ask for a narrower one.`);
}

/** Counts of days, with those on the same pages that do not match. @throws Problem `range_too_large` */
export async function countDays(organizationId: string, filter: RangeFilter, bound = boundOfSums()): Promise<Count[]> {
  if (!hasDimension(filter)) return readCalendarDays(organizationId, spanOf(filter), bound);
  return readDaysOfPages(organizationId, filter, { filter, figures: ['e'], bound });
}

export interface ListWindow extends PageWindow {
  /** A file has all rows, or is refused: before its days are read, where counts tell how many there are. */
  readonly isExport?: boolean;
}

interface Counted {
  /** As fine as its plan needs it. */
  readonly page: CountedPage;
  readonly total: number;
  /** Whether finer counts agree with those that they were opened from. */
  readonly isConsistent: boolean;
}

/** @throws Problem `range_too_large`; `export_too_large` */
export async function countPage(
  organizationId: string,
  filter: RangeFilter,
  window: ListWindow,
  boundOfDays: ReadBound,
): Promise<Counted> {
  const bound = boundOfSums();
  const counts = await countPeriods(organizationId, filter, bound);
  const total = countOf(counts, filter);
  if (window.isExport) assertRowsFit(total);
  const page = narrowed({ ...window, counts, filter });
  const months = page.counts.filter(isMonth);
  const days = await openMonths(organizationId, months, filter, bound);
  const byDay = withOpened(page, months, days);
  const crowded = crowdedDaysOf(byDay);
  const ranges = (await mapInParallel(crowded, (day) => openDay(organizationId, day, boundOfDays))).flat();
  const isConsistent = countOf(days, filter) === countOf(months) && countOf(ranges) === countOf(crowded);
  return { page: withOpened(byDay, crowded, ranges), total, isConsistent };
}

/** To read so few months by their days at once costs little more, and saves a round trip. */
const MONTHS_BY_DAY = 3;

/** Counts of days where the range is short, else of months, and of the days at its ends. @throws Problem `range_too_large` */
async function countPeriods(organizationId: string, filter: RangeFilter, bound: ReadBound): Promise<Count[]> {
  const range = spanOf(filter);
  // A client has few pages of the ledger in each month.
  const isOfClient = filter.clientId !== undefined && filter.projectId === undefined;
  if (isOfClient || monthsTouched(range) <= MONTHS_BY_DAY) return countDays(organizationId, filter, bound);
  const { months, dates } = splitByMonths(range);
  const counts = await Promise.all([
    months ? countMonths(organizationId, months, filter, bound) : [],
    ...dates.map((span) => countDays(organizationId, { ...filter, ...span }, bound)),
  ]);
  return counts.flat();
}

function countMonths(organizationId: string, months: Span, filter: DimensionFilter, bound: ReadBound) {
  return hasDimension(filter)
    ? readMonthSums(organizationId, months, { filter, figures: ['e'], bound })
    : readCalendarMonths(organizationId, months, bound);
}

/** @param months as counted */
async function openMonths(
  organizationId: string,
  months: readonly Count[],
  filter: DimensionFilter,
  bound: ReadBound,
): Promise<Count[]> {
  const sorted = months.map(({ period }) => period).sort();
  if (sorted.length === 0) return [];
  const [from, to] = [`${sorted.at(0)}-01`, `${sorted.at(-1)}-31`];
  // A project has few pages of the ledger in a month. Other filters match most of them, and they lie side by side.
  return filter.projectId === undefined
    ? countDays(organizationId, { ...filter, from, to }, bound)
    : readDaysOfCells(organizationId, months, { figures: ['e'], bound });
}

/** A sample tells whether ranges are long, before the ledger is asked for all of them. */
const SAMPLE = 64;

/** Counts the ranges of a day that the calendar has counted, if they are long. */
async function openDay(organizationId: string, day: Count, bound: ReadBound): Promise<readonly Count[]> {
  const sample = await sampleDay(organizationId, day.period, SAMPLE, bound);
  const ranges = rangesByProject(
    sample.map((dimensions) => ({ period: day.period, entries: 1, dimensions })),
    {},
  );
  if (!areRangesLong(ranges.length, sample.length)) return [day];
  return readDaySums(organizationId, { from: day.period, to: day.period }, { figures: ['e'], bound });
}
