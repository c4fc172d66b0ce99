import { batchGet } from '#shared/data/dynamo/batch.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import {
  calendarKey,
  type Dimensions,
  type Key,
  ledgerMonthKey,
  ledgerMonthPartition,
  ledgerPageOf,
  ledgerYearKey,
  ledgerYearPartition,
  sideRange,
  sortKeyRange,
  withoutSide,
} from '#shared/data/dynamo/keys.ts';
import { type Item, queryAll } from '#shared/data/dynamo/query.ts';
import { joinSides } from '#shared/data/dynamo/sides.ts';
import type { TransactItem } from '#shared/data/dynamo/transaction.ts';
import { monthOf, type Span, splitSpan, yearOf } from '#shared/domain/date-range.ts';
import { amountMinorOf, type Entry } from '#shared/domain/tracker/entry.ts';

/**
 * The ledger: how many entries, minutes and minor units of money there are, by day and by every dimension that a list can be filtered
 * by or a summary grouped by. It is changed in the transaction that changes the entries, and so always equals a recount of them.
 *
 * A page holds a month of one combination of dimensions, with three attributes for each day (`e05`, `m05`, `a05`). Another holds a year of it,
 * with three for each month and three for the year (`e`, `m`, `a`). A reader asks for the coarsest page that answers, and for the
 * attributes that it needs alone: a Query costs what it reads, but what it hands out costs the time to decode it.
 *
 * Each write also counts in the calendar (`calendar.ts`), which knows the days of all entries together.
 */

/** What there is of one combination of dimensions in some period. */
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

/** What happens to one entry: it comes (`before` null), changes, or goes (`after` null). */
export interface EntryChange {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

interface PageSums {
  readonly key: Key;
  readonly set: Readonly<Record<string, unknown>>;
  readonly sums: Map<string, bigint>;
}

/** What entries add to pages of the ledger and of the calendar, by key. */
export type Pages = Map<string, PageSums>;

/** Adds what an entry counts to its pages, or with a negative sign takes it away. */
export function countEntry(pages: Pages, entry: Entry, sign = 1n): void {
  for (const { key, set = {}, contributions } of pagesOf(entry)) {
    const name = pageName(key);
    const page = pages.get(name) ?? { key, set, sums: new Map<string, bigint>() };
    pages.set(name, page);
    for (const [attribute, amount] of contributions) {
      page.sums.set(attribute, (page.sums.get(attribute) ?? 0n) + sign * amount);
    }
  }
}

export const pageName = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** The pages as they lie in the table when these are all entries. */
export function pageItems(pages: Pages): Item[] {
  return [...pages.values()].map(({ key, set, sums }) => ({
    ...key,
    ...set,
    ...Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n)),
  }));
}

/** The updates of ledger pages and of the calendar that go with changes of entries: one for each page whose sums change. */
export function ledgerUpdates(changes: readonly EntryChange[]): TransactItem[] {
  const pages: Pages = new Map();
  for (const { before, after } of changes) {
    if (before) countEntry(pages, before, -1n);
    if (after) countEntry(pages, after);
  }
  return [...pages.values()].flatMap(({ key, set, sums }) => sumsUpdate(key, sums, { set }) ?? []);
}

interface PageShare {
  readonly key: Key;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly contributions: readonly (readonly [string, bigint])[];
}

/** The pages that an entry counts in, and as what. Those of the ledger say what they are of, for filters. */
function pagesOf(entry: Entry): PageShare[] {
  const { organizationId } = entry;
  const [year = '', month = '', day = ''] = entry.entryDate.split('-');
  const set = { clientId: entry.clientId ?? undefined, projectId: entry.projectId ?? undefined };
  return [
    { key: ledgerMonthKey(organizationId, `${year}-${month}`, entry), set, contributions: sumsIn(entry, day) },
    {
      key: ledgerYearKey(organizationId, year, entry),
      set,
      contributions: [...sumsIn(entry, month), ...sumsIn(entry, '')],
    },
    {
      key: calendarKey(organizationId, `${year}-${month}`),
      contributions: [
        [`e${day}`, 1n],
        ['e', 1n],
      ],
    },
  ];
}

function sumsIn(entry: Entry, part: string): [string, bigint][] {
  return [
    [`e${part}`, 1n],
    [`m${part}`, BigInt(entry.durationMinutes)],
    [`a${part}`, amountMinorOf(entry)],
  ];
}

interface UpdateOptions {
  readonly ConditionExpression?: string;
  /** Attributes that are set as well; what is undefined is not. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Adds to attributes of an item what is not zero, or undefined where all is. */
export function sumsUpdate(
  Key: Key,
  sums: ReadonlyMap<string, bigint>,
  { ConditionExpression, set = {} }: UpdateOptions = {},
): TransactItem | undefined {
  const added = [...sums].filter(([, amount]) => amount !== 0n);
  if (added.length === 0) return undefined;
  const assigned = Object.entries(set).filter(([, value]) => value !== undefined);
  const names = [...added, ...assigned].map(([name]) => name);
  const setting = assigned.map(([name]) => `#${name} = :${name}`).join(', ');
  return {
    Update: {
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: `${setting && `SET ${setting} `}ADD ${added.map(([name]) => `#${name} :${name}`).join(', ')}`,
      ConditionExpression,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        [...added, ...assigned].map(([name, value]) => [`:${name}`, value]),
      ),
    },
  };
}

/** `YYYY-MM-DD`, inclusive; without one of them from the first day on, or to the last */
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

/** Whether a reading is of some entries only. */
export function isFiltered({ projectId, clientId, source, billable }: LinkFilter): boolean {
  return [projectId, clientId, source, billable].some((value) => value !== undefined);
}

/** What a reader needs to know of each part of a page: the number of entries, minutes, amount. */
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

/** What a range amounts to, by its dimensions, in one round trip: by years, by months and by days, each as far as they lie in it as a whole. */
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
  /** Of which parts of each page: days of a month, months of a year, or the empty text for the whole. */
  readonly parts: readonly string[];
  readonly figures: readonly Figure[];
  readonly filter?: LinkFilter;
}

/** @param span of months or of years, as the pages are */
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

/** What DynamoDB does not filter by, since only the sort key says it. */
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
