import {
  type Dimensions,
  ledgerMonthPartition,
  ledgerMonthPrefix,
  ledgerPageOf,
  ledgerYearPartition,
  ledgerYearPrefix,
  sortKeyRange,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import type { Item } from '#shared/data/table/query.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { joinShards } from '#shared/data/table/shards.ts';
import { monthOf, monthsFrom, monthsTouched, type Span, splitSpan, yearOf } from '#shared/domain/date-range.ts';
import { type Count, type DimensionFilter, MAX_PIECES, matches } from '#shared/domain/tracker/list-plan.ts';
import { readCalendarMonths } from './calendar.ts';

export interface Cell {
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY` */
  readonly period: string;
  readonly dimensions: Dimensions;
  readonly entries: number;
  readonly minutes: number;
  readonly billedMinutes: number;
  /** Minor units of the currency; billable entries only */
  readonly amountMinor: bigint;
}

/** `YYYY-MM-DD`, inclusive; unbounded where a date is missing */
export type DateRange = Partial<Span>;

const ALL_DATES: Span = { from: '0000-01-01', to: '9999-12-31' };

export function spanOf({ from = ALL_DATES.from, to = ALL_DATES.to }: DateRange): Span {
  return { from, to };
}

/** The number of entries, their minutes, their amount, or what rounding adds to the minutes. */
type Figure = 'e' | 'm' | 'a' | 'b';

export interface LedgerQuery {
  readonly filter?: DimensionFilter;
  readonly figures?: readonly Figure[];
  readonly bound?: ReadBound;
}

export async function readDaySums(
  organizationId: string,
  range: DateRange,
  reading: LedgerQuery = {},
): Promise<Cell[]> {
  const cells = await readDaysOfPages(organizationId, range, reading);
  return cells.filter(({ dimensions }) => matches(dimensions, reading.filter ?? {}));
}

/** As {@link readDaySums}, with the cells on the same pages that do not match. */
export async function readDaysOfPages(
  organizationId: string,
  range: DateRange,
  { filter = {}, ...reading }: LedgerQuery,
): Promise<Cell[]> {
  const { from, to } = spanOf(range);
  const months = { from: monthOf(from), to: monthOf(to) };
  const ranges = await rangesOfDays(organizationId, months, filter, reading.bound);
  const parts = months.from === months.to ? partsBetween(DAYS, dayOf(from), dayOf(to)) : DAYS;
  const cells = await readPages(ledgerMonthPartition(organizationId), ranges, { ...reading, parts });
  return cells.filter(({ period }) => period >= from && period <= to);
}

/** A project's pages of a year tell its months and its clients. */
async function rangesOfDays(
  organizationId: string,
  months: Span,
  filter: DimensionFilter,
  bound: ReadBound | undefined,
): Promise<KeyRange[]> {
  const { projectId, clientId } = filter;
  if (clientId !== undefined && (projectId === undefined || areFew(months))) {
    const ofAnybody = await monthsWithEntries(organizationId, months, bound);
    return ofAnybody.map((month) => sortKeyRange(ledgerMonthPrefix(month, clientId, projectId)));
  }
  if (projectId !== undefined) {
    return rangesOfCells(await readMonthSums(organizationId, months, { filter, figures: ['e'], bound }));
  }
  return [sortKeyRange(months.from, months.to)];
}

/** Includes cells on the same pages that do not match. @param months all that matches in these months */
export function readDaysOfCells(
  organizationId: string,
  months: readonly Count[],
  { figures, bound }: LedgerQuery,
): Promise<Cell[]> {
  return readPages(ledgerMonthPartition(organizationId), rangesOfCells(months), { parts: DAYS, figures, bound });
}

function rangesOfCells(cells: readonly Count[]): KeyRange[] {
  const months = new Set(cells.map(({ period }) => period));
  const pieces = new Set(
    cells.map(({ period, dimensions }) =>
      dimensions ? ledgerMonthPrefix(period, dimensions.clientId, dimensions.projectId) : period,
    ),
  );
  return [...(pieces.size > MAX_PIECES ? months : pieces)].map((first) => sortKeyRange(first));
}

export async function readMonthSums(organizationId: string, months: Span, reading: LedgerQuery = {}): Promise<Cell[]> {
  const { from, to } = months;
  if (from === to && reading.filter?.projectId === undefined) {
    const query = { ...reading, parts: WHOLE };
    return readPages(ledgerMonthPartition(organizationId), [sortKeyRange(from)], query);
  }
  return readMonthsOfYears(organizationId, months, reading);
}

/** A year's page is smaller than that of a month with work on most days. A year may have more pages, though. */
async function readMonthsOfYears(organizationId: string, months: Span, reading: LedgerQuery): Promise<Cell[]> {
  const { from, to } = months;
  const { filter: { projectId } = {}, bound } = reading;
  const ranges = await rangesOfMonths(organizationId, months, projectId, bound);
  const parts = yearOf(from) === yearOf(to) ? partsBetween(MONTHS, monthOfYear(from), monthOfYear(to)) : MONTHS;
  const cells = await readPages(ledgerYearPartition(organizationId), ranges, { ...reading, parts });
  return cells.filter(({ period }) => period >= from && period <= to);
}

async function rangesOfMonths(
  organizationId: string,
  months: Span,
  projectId: string | undefined,
  bound: ReadBound | undefined,
): Promise<KeyRange[]> {
  if (projectId === undefined) return [sortKeyRange(yearOf(months.from), yearOf(months.to))];
  const years = new Set((await monthsWithEntries(organizationId, months, bound)).map(yearOf));
  return [...years].map((year) => sortKeyRange(ledgerYearPrefix(year, projectId)));
}

/** To ask whether so few months hold entries takes longer than to look. */
const FEW_MONTHS = 3;

const areFew = (months: Span): boolean => monthsTouched(months) <= FEW_MONTHS;

/** The months that hold entries of anybody. @param months `YYYY-MM` */
async function monthsWithEntries(organizationId: string, months: Span, bound?: ReadBound): Promise<string[]> {
  if (areFew(months)) return monthsFrom(months.from, monthsTouched(months));
  return (await readCalendarMonths(organizationId, months, bound)).map(({ period }) => period);
}

/** One round trip: whole years, whole months and the remaining days are each read at their level. */
export async function readAmounts(organizationId: string, range: Span, reading: LedgerQuery): Promise<Cell[]> {
  const { years, months, dates } = splitSpan(range);
  const whole = { ...reading, parts: WHOLE };
  const readings = await Promise.all([
    years ? readPages(ledgerYearPartition(organizationId), [sortKeyRange(years.from, years.to)], whole) : [],
    ...months.map((span) => readMonthsOfYears(organizationId, span, reading)),
    ...dates.map((span) => readDaySums(organizationId, span, reading)),
  ]);
  return readings.flat();
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

const DAYS = Array.from({ length: 31 }, (_, index) => twoDigits(index + 1));
const MONTHS = DAYS.slice(0, 12);
/** The month of a page of days, or the year of a page of months. */
const WHOLE = [''];

const partsBetween = (parts: readonly string[], from: string, to: string) =>
  parts.filter((part) => part >= from && part <= to);

const dayOf = (date: string): string => date.slice('YYYY-MM-'.length);
const monthOfYear = (month: string): string => month.slice('YYYY-'.length);

type KeyRange = ReturnType<typeof sortKeyRange>;

interface PageQuery extends LedgerQuery {
  readonly parts: readonly string[];
}

/** The months of many years, each of which has few pages of a client. */
const PIECES_AT_ONCE = 100;

/** @param ranges of sort keys, which do not overlap */
async function readPages(partition: string, ranges: readonly KeyRange[], query: PageQuery): Promise<Cell[]> {
  const pages = await mapInParallel(ranges, (each) => queryPages(partition, each, query), PIECES_AT_ONCE);
  const sums = joinShards(pages.flat()).flatMap(cellsOf);
  return sums.filter(({ dimensions }) => matches(dimensions, query.filter ?? {}));
}

function queryPages(
  partition: string,
  between: KeyRange,
  { parts, figures = ['e', 'm', 'a', 'b'], bound }: PageQuery,
): Promise<Item[]> {
  const attributes = ['sk', ...parts.flatMap((part) => figures.map((figure) => `${figure}${part}`))];
  return readCollection({ partition, between, attributes, bound });
}

/** Most pages have few of the parts that were asked for, so this goes by what they have. */
function cellsOf({ sk, ...attributes }: Item): Cell[] {
  const { period, dimensions } = ledgerPageOf(String(sk));
  const parts = new Set(Object.keys(attributes).map((name) => name.slice(1)));
  return [...parts].flatMap((part) => {
    const entries = Number(attributes[`e${part}`] ?? 0);
    const minutes = Number(attributes[`m${part}`] ?? 0);
    if (entries === 0 && minutes === 0) return [];
    const amountMinor = BigInt(String(attributes[`a${part}`] ?? 0));
    const billedMinutes = minutes + Number(attributes[`b${part}`] ?? 0);
    return {
      period: part === '' ? period : `${period}-${part}`,
      dimensions,
      entries,
      minutes,
      billedMinutes,
      amountMinor,
    };
  });
}
