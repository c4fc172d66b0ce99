import { fault } from './problems.ts';

/** @param path of the object with the dates; none for the request itself */
export function assertRange(dateFrom: string | undefined, dateTo: string | undefined, path?: string): void {
  assertInOrder(path ? `${path}.date` : 'date', dateFrom, dateTo);
}

/** @param name `due` for the members `dueFrom` and `dueTo` */
export function assertInOrder(name: string, from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || from <= to) return;
  const member = name.slice(name.lastIndexOf('.') + 1);
  throw fault('invalid_date_range', `${name}From`, `${member}From must not be later than ${member}To.`);
}

/** Both ends are inclusive: dates `YYYY-MM-DD`, or months `YYYY-MM`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Splits a span of dates into whole years, the whole months beside them, and the remaining days. */
export function splitSpan(span: Span) {
  const { months, dates } = splitByMonths(span);
  return { ...(months ? splitByYears(months) : { years: null, months: [] }), dates };
}

function splitByYears({ from, to }: Span): { readonly years: Span | null; readonly months: readonly Span[] } {
  const [begun, ended] = [Number(yearOf(from)), Number(yearOf(to))];
  const first = from.endsWith('-01') ? begun : begun + 1;
  const last = to.endsWith('-12') ? ended : ended - 1;
  if (first > last) return { years: null, months: [{ from, to }] };
  const months = [
    ...(first > begun ? [{ from, to: `${yearOf(from)}-12` }] : []),
    ...(last < ended ? [{ from: `${yearOf(to)}-01`, to }] : []),
  ];
  return { years: { from: yearNumbered(first), to: yearNumbered(last) }, months };
}

export function splitByMonths({ from, to }: Span): { readonly months: Span | null; readonly dates: readonly Span[] } {
  const [begun, ended] = [monthOf(from), monthOf(to)];
  const isBegunWhole = from === firstDateOf(begun);
  const isEndedWhole = to === lastDateOf(ended);
  const first = monthNumber(begun) + (isBegunWhole ? 0 : 1);
  const last = monthNumber(ended) - (isEndedWhole ? 0 : 1);
  if (first > last) return { months: null, dates: [{ from, to }] };
  const dates = [
    ...(isBegunWhole ? [] : [{ from, to: lastDateOf(begun) }]),
    ...(isEndedWhole ? [] : [{ from: firstDateOf(ended), to }]),
  ];
  return { months: { from: monthNumbered(first), to: monthNumbered(last) }, dates };
}

export function monthsTouched({ from, to }: Span): number {
  return monthNumber(monthOf(to)) - monthNumber(monthOf(from)) + 1;
}

export function monthsFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => monthNumbered(monthNumber(first) + index));
}

export const monthOf = (date: string): string => date.slice(0, 'YYYY-MM'.length);

export const yearOf = (date: string): string => date.slice(0, 'YYYY'.length);

export function mondayOf(date: string): string {
  const day = new Date(date);
  const daysSinceMonday = (day.getUTCDay() + 6) % 7;
  day.setUTCDate(day.getUTCDate() - daysSinceMonday);
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

const firstDateOf = (month: string): string => `${month}-01`;

function lastDateOf(month: string): string {
  const date = new Date(firstDateOf(month));
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

const MONTHS_OF_YEAR = 12;

/** Counted from the year 0. */
function monthNumber(month: string): number {
  return Number(yearOf(month)) * MONTHS_OF_YEAR + Number(month.slice('YYYY-'.length)) - 1;
}

function monthNumbered(number: number): string {
  const year = yearNumbered(Math.floor(number / MONTHS_OF_YEAR));
  return `${year}-${String((number % MONTHS_OF_YEAR) + 1).padStart(2, '0')}`;
}

const yearNumbered = (number: number): string => String(number).padStart(4, '0');
