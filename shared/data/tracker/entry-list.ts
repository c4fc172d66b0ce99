import { type Directory, readDirectory } from '#shared/data/directory/directory.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { monthOf, monthsTouched, type Span, splitByMonths } from '#shared/domain/date-range.ts';
import { assertRowsFit, MAX_EXPORT_ROWS } from '#shared/domain/export.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { countOf, type PeriodWindow, periodsOf, windowsOf } from '#shared/domain/tracker/counted-page.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import { readCalendarDays } from './calendar.ts';
import { type EndOfDay, type EndReading, planEndOfDay } from './crowded-day.ts';
import { type DayPart, newestFirst, partsOf, readEntriesOfDay } from './day-entries.ts';
import { DayReadings, MAX_ATTEMPTS } from './day-readings.ts';
import type { StoredEntry } from './entry-items.ts';
import {
  boundOfScan,
  boundOfSums,
  entriesOf,
  MAX_SCANNED_ENTRIES,
  type Pay,
  readCountedDays,
  type Scan,
} from './entry-scan.ts';
import { type EntryFilter, isSearch, searchEntries } from './entry-search.ts';
import {
  type DimensionFilter,
  hasDimension,
  type MonthCell,
  readDaysOfCells,
  readDaysOfPages,
  readMonthSums,
  spanOf,
} from './ledger-reading.ts';
import { type LinkedObjects, readLinks } from './links.ts';

/**
 * Counts of months and days, from the calendar or with a filter from the ledger, give the total, and skip what lies
 * before the page. Only the days of the page are read, and of a crowded day one end: a page costs the same for any
 * number of entries and any offset. Only a search reads all that it may find (`entry-search.ts`).
 *
 * Entries may move meanwhile. If the counts of a day disagree, that day is read again.
 */

export interface EntryPage {
  readonly items: readonly StoredEntry[];
  readonly total: number;
  readonly links: LinkedObjects;
}

/** @throws Problem `range_too_large` where it would have to read too much */
export function readEntryList(
  organizationId: string,
  filter: EntryFilter,
  offset: number,
  limit: number,
  pay?: Pay,
): Promise<EntryPage> {
  return readList(organizationId, filter, { offset, limit }, pay);
}

/** @throws Problem `export_too_large`, `range_too_large` */
export function readWholeEntryList(organizationId: string, filter: EntryFilter, pay?: Pay): Promise<EntryPage> {
  return readList(organizationId, filter, { offset: 0, limit: MAX_EXPORT_ROWS, isExport: true }, pay);
}

async function readList(organizationId: string, wanted: EntryFilter, window: Window, pay?: Pay): Promise<EntryPage> {
  const directory = readDirectory(organizationId);
  const filter = withBillable(wanted);
  if (!filter) await pay?.(0);
  const [isOwned, found] = await Promise.all([
    ownsFilterLinks(filter ?? {}, directory),
    filter ? findPage(organizationId, filter, directory, window, pay) : NOTHING,
  ]);
  const { items, total, holds } = isOwned ? found : NOTHING;
  return { items, total, links: await readLinks(organizationId, items, directory, holds) };
}

/**
 * Only billable entries can be on an invoice. So the ledger finds all others, and a search reads only what is billable.
 *
 * @returns undefined if no entry can match
 */
function withBillable({ billingStatus, ...filter }: EntryFilter): EntryFilter | undefined {
  if (billingStatus === undefined && filter.invoiceId === undefined) return filter;
  const billable = billingStatus !== 'non_billable';
  if (filter.billable !== undefined && filter.billable !== billable) return undefined;
  return { ...filter, billable, ...(billable && { billingStatus }) };
}

/** Nobody sees entries by another organization's project or client, or by a deleted one. */
async function ownsFilterLinks(
  { projectId, clientId }: DimensionFilter,
  directory: Promise<Directory>,
): Promise<boolean> {
  const { projects, clients } = await directory;
  return (projectId === undefined || projects.has(projectId)) && (clientId === undefined || clients.has(clientId));
}

interface Found {
  readonly items: readonly StoredEntry[];
  readonly total: number;
  readonly holds?: Holds;
}

const NOTHING: Found = { items: [], total: 0 };

interface Window {
  readonly offset: number;
  readonly limit: number;
  /** A file has all rows, or is refused: before its days are read, where counts tell how many there are. */
  readonly isExport?: boolean;
}

async function findPage(
  organizationId: string,
  filter: EntryFilter,
  directory: Promise<Directory>,
  window: Window,
  pay?: Pay,
): Promise<Found> {
  if (!isSearch(filter)) return findCounted(organizationId, filter, window, pay);
  const { offset, limit, isExport } = window;
  const { items, holds } = await searchEntries(organizationId, filter, directory, pay);
  if (isExport) assertRowsFit(items.length);
  return { items: items.slice(offset, offset + limit), total: items.length, holds };
}

/** A page has at most so many days, and reads them all at once. */
const DAYS_AT_ONCE = 200;

async function findCounted(
  organizationId: string,
  filter: Scan,
  { offset, limit, isExport }: Window,
  pay?: Pay,
): Promise<Found> {
  const readings = new DayReadings<StoredEntry[]>();
  for (let attempt = 1; ; attempt++) {
    const { days, total, ...counted } = await locateIn(organizationId, filter, offset, limit);
    if (isExport) assertRowsFit(total);
    const [ends, wholes] = [days.filter(isReadFromOneEnd), days.filter((day) => !isReadFromOneEnd(day))];
    const bound = isExport ? boundOfScan() : new ReadBound(() => pageTooFar('100 MB'));
    const planned = await mapInParallel(ends, (day) => planEnd(organizationId, day, filter, bound));
    const toRead = planned.reduce((sum, end) => sum + end.toRead, entriesOf(wholes, filter));
    if (toRead > MAX_SCANNED_ENTRIES) throw pageTooFar(`${MAX_SCANNED_ENTRIES} entries`);
    await pay?.(toRead);
    await readings.read(wholes, (day) => readWhole(organizationId, day, filter, bound), DAYS_AT_ONCE);
    const ofEnds = await mapInParallel(planned, ({ read }) => read());
    const isAsCounted =
      counted.isAsCounted && readings.areAsCounted(wholes) && (await areStill(organizationId, ends, filter));
    // After the last attempt, the page is answered as it was read.
    if (!isAsCounted && attempt < MAX_ATTEMPTS) continue;
    const ofWholes = wholes.flatMap((day) => readings.foundOn([day]).map((entries) => inWindow(entries, day)));
    return { items: [...ofWholes, ...ofEnds].flat().sort(newestFirst), total };
  }
}

function pageTooFar(most: string): Problem {
  const remedy = 'ask for one nearer to the first or the last entry, for fewer days, or for one client or project';
  return fault(
    'range_too_large',
    'offset',
    `The page lies among more than the ${most} that a request reads: ${remedy}.`,
  );
}

type DayWindow = PeriodWindow<DayPart>;

/** Days with more entries are read from the nearer end, as far as the page needs. */
const MAX_WHOLE_DAY = 2_000;

const isReadFromOneEnd = (day: DayWindow): boolean => day.count > MAX_WHOLE_DAY && endOf(day).wanted < day.count;

function endOf({ count, skip, take }: DayWindow): EndOfDay {
  const [ofNewest, ofOldest] = [skip + take, count - skip];
  return ofNewest <= ofOldest ? { direction: 'desc', wanted: ofNewest } : { direction: 'asc', wanted: ofOldest };
}

const inWindow = (sorted: readonly StoredEntry[], { skip, take }: DayWindow): StoredEntry[] =>
  sorted.slice(skip, skip + take);

async function readWhole(organizationId: string, { period, parts }: DayWindow, filter: Scan, bound: ReadBound) {
  const entries = await readEntriesOfDay(organizationId, period, parts, filter, bound);
  return { found: entries.sort(newestFirst), count: entries.length };
}

async function planEnd(organizationId: string, day: DayWindow, filter: Scan, bound: ReadBound): Promise<EndReading> {
  const end = endOf(day);
  const { toRead, read } = await planEndOfDay(organizationId, day, filter, end, bound);
  return { toRead, read: async () => (await read()).slice(end.wanted - day.take) };
}

async function areStill(organizationId: string, days: readonly DayWindow[], filter: Scan): Promise<boolean> {
  const dates = days.map(({ period }) => period).sort();
  if (dates.length === 0) return true;
  const now = await readCountedDays(organizationId, { ...filter, from: dates.at(0), to: dates.at(-1) });
  const counts = new Map(now.map(({ period, count }) => [period, count]));
  return days.every(({ period, count }) => counts.get(period) === count);
}

interface Located {
  readonly days: readonly DayWindow[];
  readonly total: number;
  /** Whether the days of each month hold as many entries as the month counted. */
  readonly isAsCounted: boolean;
}

/** The calendar's month has its days on it, so that one round trip finds the page among all of them. */
async function locateIn(organizationId: string, filter: Scan, offset: number, limit: number): Promise<Located> {
  const [range, bound] = [spanOf(filter), boundOfSums()];
  return hasDimension(filter)
    ? locateInLedger(ledgerOf(organizationId, filter, bound), range, offset, limit)
    : locateAmong(await readCalendarDays(organizationId, range, bound), offset, limit);
}

function locateAmong(days: readonly DayPart[], offset: number, limit: number): Located {
  const windows = windowsOf(
    periodsOf(days, ({ date }) => date),
    offset,
    limit,
  );
  return { days: windows, total: countOf(days), isAsCounted: true };
}

interface Ledger {
  /** Whether days are found at once, however long the range: no months are counted. */
  readonly isByDay: boolean;
  readonly days: (range: Span) => Promise<DayPart[]>;
  readonly months: (months: Span) => Promise<MonthCell[]>;
  readonly daysOf: (months: readonly MonthCell[]) => Promise<DayPart[]>;
}

function ledgerOf(organizationId: string, filter: DimensionFilter, bound: ReadBound): Ledger {
  const reading = { filter, figures: ['e'], bound } as const;
  const daysOf = async (range: Span) => partsOf(await readDaysOfPages(organizationId, range, reading), filter);
  return {
    isByDay: filter.clientId !== undefined && filter.projectId === undefined,
    days: daysOf,
    months: (months) => readMonthSums(organizationId, months, reading),
    // A project has few pages of the ledger in a month. Other filters match most of them, and they lie side by side.
    daysOf: async (months) =>
      filter.projectId === undefined
        ? daysOf(spanOfMonths(months))
        : partsOf(await readDaysOfCells(organizationId, months, reading), filter),
  };
}

function spanOfMonths(months: readonly MonthCell[]): Span {
  const sorted = months.map(({ month }) => month).sort();
  return { from: `${sorted.at(0) ?? '9999-12'}-01`, to: `${sorted.at(-1) ?? '0000-01'}-31` };
}

/** To read so few months by their days at once costs little more, and saves a round trip. */
const MONTHS_BY_DAY = 3;

/** Windows of the page are days, or months. The days of such a month are then read to find the page's part of it. */
async function locateInLedger(ledger: Ledger, range: Span, offset: number, limit: number): Promise<Located> {
  if (ledger.isByDay || monthsTouched(range) <= MONTHS_BY_DAY) {
    return locateAmong(await ledger.days(range), offset, limit);
  }
  const { months, dates } = splitByMonths(range);
  const [ofMonths, ...ofDates] = await Promise.all([months ? ledger.months(months) : [], ...dates.map(ledger.days)]);
  const parts: (MonthCell | DayPart)[] = [...ofMonths, ...ofDates.flat()];
  const windows = windowsOf(periodsOf(parts, periodOf), offset, limit);
  const opened = await daysIn(
    ledger,
    windows.flatMap((window) => window.parts.filter(isMonth)),
  );
  const days = windows.flatMap(({ period, parts: ofPeriod, skip, take, ...window }) => {
    const ofDays = ofPeriod.filter(isDay);
    if (ofDays.length > 0) return { ...window, period, parts: ofDays, skip, take };
    return windowsOf(periodsOf(opened.get(period) ?? [], periodOf), skip, take);
  });
  // A day needs no check here. A month must have as many entries as its opened days together.
  const isAsCounted = windows.every(({ period, parts: [first], count }) => {
    return first === undefined || isDay(first) || countOf(opened.get(period) ?? []) === count;
  });
  return { days, total: countOf(parts), isAsCounted };
}

const isDay = (part: MonthCell | DayPart): part is DayPart => 'date' in part;
const isMonth = (part: MonthCell | DayPart): part is MonthCell => !isDay(part);
const periodOf = (part: MonthCell | DayPart): string => (isDay(part) ? part.date : part.month);

async function daysIn({ daysOf }: Ledger, months: readonly MonthCell[]): Promise<Map<string, DayPart[]>> {
  const wanted = new Set(months.map(({ month }) => month));
  const days = months.length === 0 ? [] : await daysOf(months);
  return Map.groupBy(
    days.filter(({ date }) => wanted.has(monthOf(date))),
    ({ date }) => monthOf(date),
  );
}
