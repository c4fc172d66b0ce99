import { batchGet } from '#shared/data/dynamo/batch.ts';
import {
  type Dimensions,
  ledgerMonthKey,
  ledgerMonthPartition,
  ledgerPageOf,
  ledgerYearPartition,
  sideRange,
  sortKeyRange,
  withoutSide,
} from '#shared/data/dynamo/keys.ts';
import { type Item, queryAll } from '#shared/data/dynamo/query.ts';
import { joinSides } from '#shared/data/dynamo/sides.ts';
import { monthOf, type Span, splitSpan, yearOf } from '#shared/domain/date-range.ts';
import { pageName } from './ledger.ts';

/** What the ledger says of periods, by every dimension (`ledger.ts`). */

/** The sums of one combination of dimensions in some period. */
export interface Sums {
  readonly dimensions: Dimensions;
  readonly entries: number;
  readonly minutes: number;
  /** Minor units of the currency; billable entries only */
  readonly amountMinor: bigint;
}

export interface Cell extends Sums {
  /** `YYYY-MM-DD` */
  readonly date: string;
}

export interface MonthCell extends Sums {
  /** `YYYY-MM` */
  readonly month: string;
}

/** `YYYY-MM-DD`, inclusive; without `from` it begins with the first day, without `to` it ends with the last */
export type DateRange = Partial<Span>;

const ALL_DATES: Span = { from: '0000-01-01', to: '9999-12-31' };

export function spanOf({ from = ALL_DATES.from, to = ALL_DATES.to }: DateRange): Span {
  return { from, to };
}

/** What the entries of a reading have in common. */
export interface LinkFilter {
  readonly projectId?: string;
  readonly clientId?: string;
  readonly source?: string;
  readonly billable?: boolean;
}

/** Whether the filter asks for some entries only. */
export function isFiltered({ projectId, clientId, source, billable }: LinkFilter): boolean {
  return [projectId, clientId, source, billable].some((value) => value !== undefined);
}

/** What a reader needs of each part of a page: the number of entries (`e`), minutes (`m`) or amount (`a`). */
type Figure = 'e' | 'm' | 'a';

const ALL_FIGURES: readonly Figure[] = ['e', 'm', 'a'];

/** The days of a range that hold entries, in no particular order. */
export async function readDays(
  organizationId: string,
  range: DateRange,
  filter: LinkFilter = {},
  figures: readonly Figure[] = ALL_FIGURES,
): Promise<Cell[]> {
  const { from, to } = spanOf(range);
  const parts = monthOf(from) === monthOf(to) ? within(DAYS, dayOf(from), dayOf(to)) : DAYS;
  const months = { from: monthOf(from), to: monthOf(to) };
  const cells = await readPages(ledgerMonthPartition(organizationId), months, { parts, filter, figures });
  return cells.map(asDay).filter(({ date }) => date >= from && date <= to);
}

/** The months of a range that hold entries, in no particular order. @param months `YYYY-MM` */
export async function readMonths(
  organizationId: string,
  { from, to }: Span,
  filter: LinkFilter = {},
  figures: readonly Figure[] = ALL_FIGURES,
): Promise<MonthCell[]> {
  const parts = yearOf(from) === yearOf(to) ? within(MONTHS, monthOfYear(from), monthOfYear(to)) : MONTHS;
  const years = { from: yearOf(from), to: yearOf(to) };
  const cells = await readPages(ledgerYearPartition(organizationId), years, { parts, filter, figures });
  return cells.map(asMonth).filter(({ month }) => month >= from && month <= to);
}

/** The days of months, each with the dimensions that are known to have entries in it. */
export async function readDaysOf(organizationId: string, cells: readonly MonthCell[]): Promise<Cell[]> {
  const keys = cells.map(({ month, dimensions }) => ledgerMonthKey(organizationId, month, dimensions));
  const names = new Set(keys.map(pageName));
  const months = [...new Set(cells.map(({ month }) => month))];
  const partition = ledgerMonthPartition(organizationId);
  const [pages, ...sides] = await Promise.all([
    batchGet(keys),
    ...months.map((month) => queryPages(partition, sideRange(month), DAYS, ALL_FIGURES)),
  ]);
  const own = sides.flat().filter(({ sk }) => names.has(pageName({ pk: partition, sk: withoutSide(String(sk)) })));
  return joinSides([...pages, ...own])
    .flatMap((page) => cellsOf(page, DAYS))
    .map(asDay);
}

/**
 * The sums of a range by dimensions, in one round trip. Whole years, whole months and the remaining days are each read
 * at their level.
 */
export async function readAmounts(organizationId: string, range: Span): Promise<Sums[]> {
  const { years, months, dates } = splitSpan(range);
  const figures = ['m', 'a'] as const;
  const readings = await Promise.all([
    ...(years ? [readPages(ledgerYearPartition(organizationId), years, { parts: [''], figures })] : []),
    ...months.map((span) => readMonths(organizationId, span, {}, figures)),
    ...dates.map((span) => readDays(organizationId, span, {}, figures)),
  ]);
  return readings.flat();
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

const DAYS = Array.from({ length: 31 }, (_, index) => twoDigits(index + 1));
const MONTHS = DAYS.slice(0, 12);

const within = (parts: readonly string[], from: string, to: string) =>
  parts.filter((part) => part >= from && part <= to);

const dayOf = (date: string): string => date.slice('YYYY-MM-'.length);
const monthOfYear = (month: string): string => month.slice('YYYY-'.length);

interface PageReading {
  /** The parts of each page to read: days of a month, months of a year, or the empty text for the whole. */
  readonly parts: readonly string[];
  readonly figures: readonly Figure[];
  readonly filter?: LinkFilter;
}

/** @param span of months or years, like the pages */
async function readPages(
  partition: string,
  { from, to }: Span,
  { parts, figures, filter = {} }: PageReading,
): Promise<PeriodSums[]> {
  const pages = await queryPages(partition, sortKeyRange(from, to), parts, figures, filter);
  const sums = joinSides(pages).flatMap((page) => cellsOf(page, parts));
  return sums.filter(({ dimensions }) => matchesRest(dimensions, filter));
}

/** @param bounds of sort keys */
function queryPages(
  partition: string,
  bounds: Span,
  parts: readonly string[],
  figures: readonly Figure[],
  filter: LinkFilter = {},
): Promise<Item[]> {
  const links = Object.entries({ clientId: filter.clientId, projectId: filter.projectId });
  const wanted = links.filter(([, id]) => id !== undefined);
  return queryAll({
    KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
    FilterExpression: wanted.map(([name]) => `${name} = :${name}`).join(' AND ') || undefined,
    ProjectionExpression: ['sk', ...parts.flatMap((part) => figures.map((figure) => `${figure}${part}`))].join(', '),
    ExpressionAttributeValues: {
      ':partition': partition,
      ':from': bounds.from,
      ':to': bounds.to,
      ...Object.fromEntries(wanted.map(([name, id]) => [`:${name}`, id])),
    },
  });
}

/** DynamoDB does not filter by these dimensions, since only the sort key holds them. */
function matchesRest({ source, billable }: Dimensions, filter: LinkFilter): boolean {
  return (
    (filter.source === undefined || source === filter.source) &&
    (filter.billable === undefined || billable === filter.billable)
  );
}

interface PeriodSums extends Sums {
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY` */
  readonly period: string;
}

const asDay = ({ period, ...sums }: PeriodSums): Cell => ({ date: period, ...sums });
const asMonth = ({ period, ...sums }: PeriodSums): MonthCell => ({ month: period, ...sums });

function cellsOf({ sk, ...attributes }: Readonly<Record<string, unknown>>, parts: readonly string[]): PeriodSums[] {
  const { period, dimensions } = ledgerPageOf(String(sk));
  return parts.flatMap((part) => {
    const figure = (kind: Figure) => attributes[`${kind}${part}`] ?? 0;
    const entries = Number(figure('e'));
    const minutes = Number(figure('m'));
    if (entries === 0 && minutes === 0) return [];
    const amountMinor = BigInt(String(figure('a')));
    return { period: part === '' ? period : `${period}-${part}`, dimensions, entries, minutes, amountMinor };
  });
}
