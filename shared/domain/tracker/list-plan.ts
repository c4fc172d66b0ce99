/**
 * A list of entries is planned before any is read, from counts of months and days. Counts of months on the page are
 * opened into days, and those of crowded days into ranges, one for each client's project: then each day of the page is
 * a segment, which is read alone.
 */

export interface DimensionFilter {
  readonly projectId?: string;
  readonly clientId?: string;
  readonly source?: string;
  readonly billable?: boolean;
}

export function hasDimension({ projectId, clientId, source, billable }: DimensionFilter): boolean {
  return [projectId, clientId, source, billable].some((value) => value !== undefined);
}

interface Dimensions {
  readonly clientId: string | null;
  readonly projectId: string | null;
  readonly source: string;
  readonly billable: boolean;
}

export function matches({ projectId, clientId, source, billable }: Dimensions, filter: DimensionFilter): boolean {
  return (
    (filter.projectId === undefined || projectId === filter.projectId) &&
    (filter.clientId === undefined || clientId === filter.clientId) &&
    (filter.source === undefined || source === filter.source) &&
    (filter.billable === undefined || billable === filter.billable)
  );
}

/** How many entries a day or a month has: all of them, or those of some dimensions. */
export interface Count {
  /** `YYYY-MM-DD` or `YYYY-MM` */
  readonly period: string;
  readonly entries: number;
  /** Absent in counts of the calendar, which is read only without a filter; such a count matches any. */
  readonly dimensions?: Dimensions;
}

export function countOf(counts: readonly Count[], filter: DimensionFilter = {}): number {
  return counts.reduce((sum, count) => (isMatch(count, filter) ? sum + count.entries : sum), 0);
}

const isMatch = ({ dimensions }: Count, filter: DimensionFilter): boolean => !dimensions || matches(dimensions, filter);

export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** A page, and counts among which it lies: also of entries that do not match, but lie beside those that do. */
export interface CountedPage extends PageWindow {
  readonly counts: readonly Count[];
  readonly filter: DimensionFilter;
}

interface PeriodOnPage {
  readonly period: string;
  readonly counts: readonly Count[];
  readonly count: number;
  readonly skip: number;
  readonly take: number;
}

/** Newest first; days among months, if no day lies in one of the months. */
function periodsOnPage({ counts, filter, offset, limit }: CountedPage): PeriodOnPage[] {
  const periods = [...Map.groupBy(counts, ({ period }) => period)];
  let before = 0;
  return periods
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .flatMap(([period, ofPeriod]) => {
      const count = countOf(ofPeriod, filter);
      const skip = Math.max(0, offset - before);
      const take = Math.min(count, offset + limit - before) - skip;
      before += Math.max(0, count);
      return take > 0 ? [{ period, counts: ofPeriod, count, skip, take }] : [];
    });
}

/** Leaves out what lies before and behind the page. */
export function narrowed(page: CountedPage): CountedPage {
  const periods = periodsOnPage(page);
  return { ...page, counts: periods.flatMap(({ counts }) => counts), offset: periods.at(0)?.skip ?? 0 };
}

export const isMonth = ({ period }: Pick<Count, 'period'>): boolean => period.length === 'YYYY-MM'.length;

/** Days that are too crowded to be read whole, and whose ranges are not counted yet. */
export function crowdedDaysOf(page: CountedPage): Count[] {
  return periodsOnPage(page)
    .filter((day) => !isMonth(day) && isReadFromOneEnd(day))
    .flatMap((day) => day.counts.filter(({ dimensions }) => !dimensions));
}

/** Puts finer counts in the place of those that they were opened from. */
export function withOpened(page: CountedPage, opened: readonly Count[], finer: readonly Count[]): CountedPage {
  const periods = new Set(opened.map(({ period }) => period));
  return { ...page, counts: [...page.counts.filter(({ period }) => !periods.has(period)), ...finer] };
}

/** Entries of a day that lie side by side: of a client, of one of its projects, or of the whole day. */
export interface DayRange {
  readonly clientId?: string | null;
  readonly projectId?: string | null;
  readonly count: number;
  /** All that have to be read, as far as counts tell. */
  readonly toRead: number;
}

/** The part of a page that lies on one day. */
export interface Segment {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly count: number;
  readonly ranges: readonly DayRange[];
  readonly from: 'newest' | 'oldest';
  /** Both count from that end. */
  readonly skip: number;
  readonly take: number;
  /** Whether it is read from that end only, so that what is met does not tell whether the count is right. */
  readonly isReadFromOneEnd: boolean;
  /** How many entries to read at first of each range, then one by project. Otherwise ranges are read whole. */
  readonly limit?: number;
  readonly toRead: number;
}

/** @param page with its months and crowded days opened @returns the newest day first */
export function planPage(page: CountedPage): Segment[] {
  return periodsOnPage(page)
    .filter((period) => !isMonth(period))
    .map((day) => (isReadFromOneEnd(day) ? endOfDay(day, page.filter) : partOfDay(day, page.filter)));
}

/** Plans to read all entries of some days. */
export function planDays(counts: readonly Count[], filter: DimensionFilter): Segment[] {
  const page = { counts, filter, offset: 0, limit: Number.POSITIVE_INFINITY };
  return periodsOnPage(page).map((day) => partOfDay(day, filter));
}

/** Makes each range a segment: an entry that moves between two changes their counts, and perhaps not the day's. */
export function splitByRanges(segments: readonly Segment[]): Segment[] {
  return segments.flatMap((segment) =>
    segment.ranges.map((range) => {
      const { count, toRead } = range;
      return { ...segment, ranges: [range], count, take: count, toRead };
    }),
  );
}

export function toReadOf(parts: readonly Pick<Segment, 'toRead'>[]): number {
  return parts.reduce((sum, { toRead }) => sum + toRead, 0);
}

function partOfDay({ period: date, counts, ...day }: PeriodOnPage, filter: DimensionFilter): Segment {
  const ranges = rangesOf(counts, filter);
  return { ...day, date, ranges, from: 'newest', isReadFromOneEnd: false, toRead: toReadOf(ranges) };
}

/** Days with more entries are read from the nearer end, as far as the page needs. */
const MAX_WHOLE_DAY = 2_000;

const isReadFromOneEnd = ({ count, take }: PeriodOnPage): boolean => count > MAX_WHOLE_DAY && take < count;

/** A page takes the outermost entries of all ranges, and little more of each, however many the day has. */
function endOfDay(day: PeriodOnPage, filter: DimensionFilter): Segment {
  const { count, counts, skip, take } = day;
  const behind = count - skip - take;
  const whole = partOfDay(day, filter);
  const end = { ...whole, isReadFromOneEnd: true, ...(skip > behind && { from: 'oldest' as const, skip: behind }) };
  const ranges = rangesByProject(counts, filter);
  if (!areRangesLong(ranges.length, count)) return end;
  const reach = end.skip + take;
  const limit = Math.min(reach, Math.ceil(reach / ranges.length) + SPARE);
  // Among entries that do not match, the wanted ones may lie anywhere.
  const areAllWanted = counts.every((each) => isMatch(each, filter));
  return { ...end, ranges, limit, toRead: areAllWanted ? Math.min(count, ranges.length * limit) : whole.toRead };
}

/** Ranges are not even, so more than its share of the wanted entries is read of each. */
const SPARE = 4;

/** Shorter ranges are read together: to ask for one takes as long as to read so many entries. */
const MIN_ENTRIES_OF_RANGE = 16;

export function areRangesLong(ranges: number, entries: number): boolean {
  return ranges > 0 && entries >= ranges * MIN_ENTRIES_OF_RANGE;
}

/** A whole day costs less than the ranges of more than two projects. */
const MAX_RANGES_OF_DAY = 2;

/** More pieces of a day, or of a month of the ledger, cost more than the whole. */
export const MAX_PIECES = 40;

function rangesOf(counts: readonly Count[], filter: DimensionFilter): DayRange[] {
  const { clientId, projectId } = filter;
  if (clientId !== undefined && projectId === undefined) return [{ clientId, ...sizeOf(counts, filter) }];
  const ranges = rangesByProject(counts, filter);
  // With a project, others are counted only where its pieces exceed MAX_PIECES. Then the whole day is cheaper.
  const most = projectId === undefined ? MAX_RANGES_OF_DAY : MAX_PIECES;
  return ranges.length > 0 && ranges.length <= most ? ranges : [sizeOf(counts, filter)];
}

/** Ranges of a day with entries that match, one for each client's project. */
export function rangesByProject(counts: readonly Count[], filter: DimensionFilter): DayRange[] {
  const owned = counts.flatMap(({ dimensions, ...count }) => (dimensions ? [{ ...count, dimensions }] : []));
  return [...Map.groupBy(owned, ({ dimensions }) => `${dimensions.clientId} ${dimensions.projectId}`).values()]
    .flatMap(([first, ...rest]) => {
      if (!first) return [];
      const { clientId, projectId } = first.dimensions;
      return [{ clientId, projectId, ...sizeOf([first, ...rest], filter) }];
    })
    .filter(({ count }) => count > 0);
}

const sizeOf = (counts: readonly Count[], filter: DimensionFilter): Pick<DayRange, 'count' | 'toRead'> => ({
  count: countOf(counts, filter),
  toRead: countOf(counts),
});
