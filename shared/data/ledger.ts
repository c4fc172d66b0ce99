import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { monthOf, type Span, splitByMonths, yearOf } from '#shared/domain/date-range.ts';
import { amountMinorOf, type Entry } from '#shared/domain/entry.ts';
import { batchGet } from './batch.ts';
import { database, TABLE_NAME } from './client.ts';
import {
  type Dimensions,
  type Key,
  ledgerMonthKey,
  ledgerMonthPartition,
  ledgerPageOf,
  ledgerRange,
  ledgerYearKey,
  ledgerYearPartition,
} from './table.ts';
import type { TransactItem } from './transaction.ts';

/**
 * The ledger: how many entries, minutes and minor units of money there are, by day and by every dimension that a list can be filtered
 * by or a summary grouped by. It is changed in the transaction that changes the entries, and so always equals a recount of them.
 *
 * A page holds a month of one combination of dimensions, with three attributes for each day (`e05`, `m05`, `a05`). Measured against an item
 * for each day, a year of ten projects is 120 items instead of 3,650, and costs a seventh of the read units; an update costs the same,
 * since a full page stays below 1 KB. Another page holds a year of them, with three attributes for each month: whoever asks about many months reads
 * a twelfth of the pages, and then the days of those months alone that it needs. To book an entry takes two write units more for it, and work
 * without a project waits for other such work of the year, as that of a project does for the project's totals.
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

export type PeriodCell = Cell | MonthCell;

export const isDay = (cell: PeriodCell): cell is Cell => 'date' in cell;

/** What happens to one entry: it comes (`before` null), changes, or goes (`after` null). */
export interface EntryChange {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/** The updates of ledger pages that go with changes of entries: one for each page whose sums change. */
export function ledgerUpdates(organizationId: string, changes: readonly EntryChange[]): TransactItem[] {
  const pages = new Map<string, { key: Key; sums: Map<string, bigint> }>();
  const add = (entry: Entry | null, sign: bigint) => {
    if (!entry) return;
    for (const { key, part } of pagesOf(organizationId, entry)) {
      const page = pages.get(key.sk) ?? { key, sums: new Map<string, bigint>() };
      pages.set(key.sk, page);
      for (const [kind, amount] of contributions(entry)) {
        page.sums.set(`${kind}${part}`, (page.sums.get(`${kind}${part}`) ?? 0n) + sign * amount);
      }
    }
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return [...pages.values()].flatMap(({ key, sums }) => sumsUpdate(key, sums) ?? []);
}

/** The pages that an entry counts in, and as what part of each: a day of the month, and a month of the year. */
function pagesOf(organizationId: string, entry: Entry): { readonly key: Key; readonly part: string }[] {
  const [year = '', month = '', day = ''] = entry.entryDate.split('-');
  return [
    { key: ledgerMonthKey(organizationId, `${year}-${month}`, entry), part: day },
    { key: ledgerYearKey(organizationId, year, entry), part: month },
  ];
}

function contributions(entry: Entry): [string, bigint][] {
  return [
    ['e', 1n],
    ['m', BigInt(entry.durationMinutes)],
    ['a', amountMinorOf(entry)],
  ];
}

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

/** Adds to attributes of an item what is not zero, or undefined where all is; a condition may come with it. */
export function sumsUpdate(
  Key: Key,
  sums: ReadonlyMap<string, bigint>,
  condition?: Condition,
): TransactItem | undefined {
  const changed = [...sums].filter(([, amount]) => amount !== 0n);
  if (changed.length === 0) return undefined;
  return {
    Update: {
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: `ADD ${changed.map((_, i) => `#${i} :${i}`).join(', ')}`,
      ConditionExpression: condition?.ConditionExpression,
      ExpressionAttributeNames: Object.fromEntries(changed.map(([attribute], i) => [`#${i}`, attribute])),
      ExpressionAttributeValues: {
        ...condition?.ExpressionAttributeValues,
        ...Object.fromEntries(changed.map(([, amount], i) => [`:${i}`, amount])),
      },
    },
  };
}

/** `YYYY-MM-DD`, inclusive; without one of them from the first day on, or to the last */
export type DateRange = Partial<Span>;

const ALL_DATES: Span = { from: '0000-01-01', to: '9999-12-31' };

/** The days of a range that hold entries, in no particular order, read with strong consistency. */
export function readLedger(organizationId: string, range: DateRange): Promise<Cell[]> {
  return readDays(organizationId, spanOf(range));
}

export interface Overview {
  readonly months: readonly MonthCell[];
  /** Of none of the months. */
  readonly days: readonly Cell[];
}

/** What a range of dates holds, by months where these lie in it as a whole and by days where not, in one round trip. */
export async function readOverview(organizationId: string, range: DateRange): Promise<Overview> {
  const { months, dates } = splitByMonths(spanOf(range));
  const [ofMonths, ...ofDates] = await Promise.all([
    months ? readMonths(organizationId, months) : [],
    ...dates.map((span) => readDays(organizationId, span)),
  ]);
  return { months: ofMonths, days: ofDates.flat() };
}

/** A Query takes a read unit for about eight pages, as measured with 100,000 entries of a year; a read by key takes one for each. */
const PAGES_OF_A_UNIT = 8;

/**
 * The days of the months that some cells lie in, of their dimensions alone, in one round trip: all pages from the first to the last of these
 * months are read, or, where most of them are others', each one by its key.
 *
 * @param overview what the cells are part of
 */
export async function lookInto(
  organizationId: string,
  cells: readonly PeriodCell[],
  overview: Overview,
): Promise<Cell[]> {
  const keyOf = (cell: PeriodCell) => ledgerMonthKey(organizationId, monthOfCell(cell), cell.dimensions);
  const wanted = new Map(cells.map(keyOf).map((key) => [key.sk, key]));
  const months = cells.map(monthOfCell).sort();
  const [first, last] = [months.at(0), months.at(-1)];
  if (first === undefined || last === undefined) return [];
  const there = [...overview.months, ...overview.days].filter((cell) => isWithin(monthOfCell(cell), first, last));
  const pageCount = new Set(there.map((cell) => keyOf(cell).sk)).size;
  if (pageCount > wanted.size * PAGES_OF_A_UNIT) return (await batchGet([...wanted.values()])).flatMap(daysOf);
  const pages = await readPages(ledgerMonthPartition(organizationId), { from: first, to: last });
  return pages.filter(({ sk }) => wanted.has(String(sk))).flatMap(daysOf);
}

function monthOfCell(cell: PeriodCell): string {
  return isDay(cell) ? monthOf(cell.date) : cell.month;
}

function isWithin(value: string, from: string, to: string): boolean {
  return value >= from && value <= to;
}

function spanOf({ from = ALL_DATES.from, to = ALL_DATES.to }: DateRange): Span {
  return { from, to };
}

async function readDays(organizationId: string, { from, to }: Span): Promise<Cell[]> {
  const pages = await readPages(ledgerMonthPartition(organizationId), { from: monthOf(from), to: monthOf(to) });
  return pages.flatMap(daysOf).filter(({ date }) => isWithin(date, from, to));
}

async function readMonths(organizationId: string, { from, to }: Span): Promise<MonthCell[]> {
  const pages = await readPages(ledgerYearPartition(organizationId), { from: yearOf(from), to: yearOf(to) });
  return pages.flatMap(monthsOf).filter(({ month }) => isWithin(month, from, to));
}

type Page = Readonly<Record<string, unknown>>;

/** @param span of months or of years, as the pages are */
async function readPages(partition: string, { from, to }: Span): Promise<Page[]> {
  const bounds = ledgerRange(from, to);
  const pages: Page[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const answer = await database.send(
      new QueryCommand({
        TableName: TABLE_NAME,
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':partition': partition, ':from': bounds.from, ':to': bounds.to },
        ConsistentRead: true,
        ExclusiveStartKey: startKey,
      }),
    );
    pages.push(...(answer.Items ?? []));
    startKey = answer.LastEvaluatedKey;
  } while (startKey);
  return pages;
}

function daysOf(page: Page): Cell[] {
  return partsOf(page).map(({ period, ...sums }) => ({ date: period, ...sums }));
}

function monthsOf(page: Page): MonthCell[] {
  return partsOf(page).map(({ period, ...sums }) => ({ month: period, ...sums }));
}

function partsOf({ sk, ...attributes }: Page): (Sums & { readonly period: string })[] {
  const { period, dimensions } = ledgerPageOf(String(sk));
  return Object.entries(attributes).flatMap(([attribute, entries]) => {
    const part = /^e(\d\d)$/.exec(attribute)?.[1];
    if (!part || Number(entries) === 0) return [];
    const sum = (kind: string) => BigInt(String(attributes[`${kind}${part}`] ?? 0));
    return {
      period: `${period}-${part}`,
      dimensions,
      entries: Number(entries),
      minutes: Number(sum('m')),
      amountMinor: sum('a'),
    };
  });
}
