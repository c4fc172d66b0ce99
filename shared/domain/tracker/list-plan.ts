/**
 * A list of entries is planned before any is read, from counts of months and days. Counts of months on the page are
 * opened into days, and those of crowded days into rows: then each day of the page is a segment, which is read alone.
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

/** Entries of a client's project. Those of a day are a row, in the order of lists. */
interface Owner {
  readonly clientId: string | null;
  readonly projectId: string | null;
}

interface Dimensions extends Owner {
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
  /** Those that match. */
  readonly entries: number;
  /** Those that do not match, which lie beside those that do. */
  readonly others?: number;
  readonly dimensions?: Owner;
}

export function countOf(counts: readonly Pick<Count, 'entries'>[]): number {
  return counts.reduce((sum, { entries }) => sum + entries, 0);
}

export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** Counts among which a page lies. */
export interface CountedPage extends PageWindow {
  readonly counts: readonly Count[];
}

interface Period {
  readonly period: string;
  readonly counts: readonly Count[];
  readonly count: number;
}

interface PeriodOnPage extends Period {
  readonly skip: number;
  readonly take: number;
}

/** Newest first; days among months, if no day lies in one of the months. */
function periodsOf(counts: readonly Count[]): Period[] {
  return [...Map.groupBy(counts, ({ period }) => period)]
    .map(([period, ofPeriod]) => ({ period, counts: ofPeriod, count: countOf(ofPeriod) }))
    .sort((one, other) => (one.period < other.period ? 1 : -1));
}

function periodsOnPage({ counts, offset, limit }: CountedPage): PeriodOnPage[] {
  let before = 0;
  return periodsOf(counts).flatMap((period) => {
    const skip = Math.max(0, offset - before);
    const take = Math.min(period.count, offset + limit - before) - skip;
    before += Math.max(0, period.count);
    return take > 0 ? [{ ...period, skip, take }] : [];
  });
}

/** Leaves out what lies before and behind the page. */
export function narrowed(page: CountedPage): CountedPage {
  const periods = periodsOnPage(page);
  return { ...page, counts: periods.flatMap(({ counts }) => counts), offset: periods.at(0)?.skip ?? 0 };
}

export const isMonth = ({ period }: Pick<Count, 'period'>): boolean => period.length === 'YYYY-MM'.length;

/** Days that are too crowded to be read whole, and whose rows are not counted yet. */
export function crowdedDaysOf(page: CountedPage): Count[] {
  return periodsOnPage(page)
    .filter((day) => !isMonth(day) && isReadFromOneEnd(day))
    .flatMap((day) => day.counts.filter(({ dimensions }) => !dimensions));
}

/** With finer counts in the place of those that they were opened from. */
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
  readonly isEnd: boolean;
  /** How many entries to read of each range at first, which then is a row. Otherwise ranges are read whole. */
  readonly limit?: number;
  readonly toRead: number;
}

/** @param page with its months and crowded days opened @returns the newest day first */
export function planPage(page: CountedPage, filter: DimensionFilter): Segment[] {
  return periodsOnPage(page)
    .filter((period) => !isMonth(period))
    .map((day) => (isReadFromOneEnd(day) ? endOfDay(day, filter) : partOfDay(day, filter)));
}

/** All entries of some days. */
export function planDays(counts: readonly Count[], filter: DimensionFilter): Segment[] {
  return periodsOf(counts)
    .filter(({ count }) => count > 0)
    .map((day) => partOfDay({ ...day, skip: 0, take: day.count }, filter));
}

/** An entry that moves from one range to another changes the counts of both, and perhaps not that of the day. */
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
  return { ...day, date, ranges, from: 'newest', isEnd: false, toRead: toReadOf(ranges) };
}

/** Days with more entries are read from the nearer end, as far as the page needs. */
const MAX_WHOLE_DAY = 2_000;

const isReadFromOneEnd = ({ count, take }: PeriodOnPage): boolean => count > MAX_WHOLE_DAY && take < count;

/** A page takes the outermost entries of all rows, and little more of each, however many the day has. */
function endOfDay(day: PeriodOnPage, filter: DimensionFilter): Segment {
  const { count, counts, skip, take } = day;
  const behind = count - skip - take;
  const whole = partOfDay(day, filter);
  const end = { ...whole, isEnd: true, ...(skip > behind && { from: 'oldest' as const, skip: behind }) };
  const rows = rowsOf(counts);
  if (!areRowsLong(rows.length, count)) return end;
  const reach = end.skip + take;
  const limit = Math.min(reach, Math.ceil(reach / rows.length) + SPARE);
  // Among entries that do not match, the wanted ones may lie anywhere.
  const isEven = counts.every(({ others = 0 }) => others === 0);
  return { ...end, ranges: rows, limit, toRead: isEven ? Math.min(count, rows.length * limit) : whole.toRead };
}

/** Rows are not even, so more than its share of the wanted entries is read of each. */
const SPARE = 4;

/** Shorter rows are read together: to ask for one takes as long as to read so many entries. */
const MIN_ENTRIES_OF_ROW = 16;

export function areRowsLong(rows: number, entries: number): boolean {
  return rows > 0 && entries >= rows * MIN_ENTRIES_OF_ROW;
}

/** A whole day costs less than the rows of more than two projects. */
const MAX_ROWS_OF_DAY = 2;

/** More pieces of a day, or of a month of the ledger, cost more than the whole. */
export const MAX_PIECES = 40;

function rangesOf(counts: readonly Count[], { clientId, projectId }: DimensionFilter): DayRange[] {
  if (clientId !== undefined && projectId === undefined) return [{ clientId, ...sizeOf(counts) }];
  const rows = rowsOf(counts);
  // With a project, others are counted only where its pieces exceed MAX_PIECES. Then the whole day is cheaper.
  const most = projectId === undefined ? MAX_ROWS_OF_DAY : MAX_PIECES;
  return rows.length > 0 && rows.length <= most ? rows : [sizeOf(counts)];
}

/** Rows with entries that match. */
export function rowsOf(counts: readonly Count[]): DayRange[] {
  const owned = counts.flatMap(({ dimensions, ...count }) => (dimensions ? [{ ...dimensions, ...count }] : []));
  return [...Map.groupBy(owned, ({ clientId, projectId }) => `${clientId} ${projectId}`).values()]
    .flatMap((row) => row.slice(0, 1).map(({ clientId, projectId }) => ({ clientId, projectId, ...sizeOf(row) })))
    .filter(({ count }) => count > 0);
}

function sizeOf(counts: readonly Count[]): Pick<DayRange, 'count' | 'toRead'> {
  const count = countOf(counts);
  return { count, toRead: counts.reduce((sum, { others = 0 }) => sum + others, count) };
}
