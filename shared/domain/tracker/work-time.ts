import { type Decimal, decimalFromNumber, decimalOf, divideHalfUp, fractionOf, MILLION } from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
import { instantIn, plusDaysIn, type TimeZone } from '#shared/domain/time-zone.ts';

/** `YYYY-MM-DD` */
export type IsoDate = string;

const MILLISECONDS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1_440;
const MILLISECONDS_PER_DAY = MINUTES_PER_DAY * MILLISECONDS_PER_MINUTE;

/** Rounded up, at least one: a started minute is a worked minute. */
export function billableMinutes(startedAt: Date, endedAt: Date): number {
  return Math.max(1, Math.ceil((endedAt.getTime() - startedAt.getTime()) / MILLISECONDS_PER_MINUTE));
}

/** In UTC. */
export function dateOf(instant: Date): IsoDate {
  return instant.toISOString().slice(0, 10);
}

/** The calendar has no year 0, and XML Schema refuses it. */
export function isDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(midnightOf(text));
  return !Number.isNaN(instant) && dateOf(new Date(instant)) === text;
}

export const FIRST_WORK_DATE = '1900-01-01';

/** An entry of 365 days from this date still ends in a year of four digits. */
export const LAST_WORK_DATE = '9998-12-30';

export function isWorkDate(text: string): boolean {
  return isDate(text) && text >= FIRST_WORK_DATE && text <= LAST_WORK_DATE;
}

export function midnightOf(date: IsoDate): string {
  return `${date}T00:00:00.000Z`;
}

export function plusMinutes(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * MILLISECONDS_PER_MINUTE).toISOString();
}

export interface ClockTimes {
  readonly startTime: string;
  /** `HH:mm`; at or before the start it means the next day. */
  readonly endTime: string;
}

export interface ClockSpan {
  readonly startedAt: string;
  readonly endedAt: string;
}

/** @throws Problem `invalid_time_range` where a change to summer time moves the start to the end or behind it */
export function clockSpanOf(date: IsoDate, { startTime, endTime }: ClockTimes, zone: TimeZone): ClockSpan {
  const endDate = endTime > startTime ? date : plusDays(date, 1);
  const span = {
    startedAt: instantIn(zone, date, startTime).toISOString(),
    endedAt: instantIn(zone, endDate, endTime).toISOString(),
  };
  assertInOrder(span, 'startTime');
  return span;
}

/** @throws Problem `invalid_time_range` */
export function assertInOrder({ startedAt, endedAt }: ClockSpan, path: 'startTime' | 'entryDate'): void {
  if (startedAt < endedAt) return;
  throw fault(
    'invalid_time_range',
    path,
    'A change of summer time on this day puts the start at the end or behind it.',
  );
}

/** Elapsed minutes, of which a change of summer time makes more or fewer than the clock times tell. */
export function minutesOf({ startedAt, endedAt }: ClockSpan): number {
  return billableMinutes(new Date(startedAt), new Date(endedAt));
}

const LAST_DATE = '9999-12-31';

/** At most `9999-12-31`. */
export function plusDays(date: IsoDate, days: number): IsoDate {
  const later = plusMinutes(midnightOf(date), days * MINUTES_PER_DAY);
  return later.startsWith('+') ? LAST_DATE : later.slice(0, LAST_DATE.length);
}

/** Keeps the clock time, which on its own date may also be the second of one that comes twice. */
export function moveToDate(instant: string, fromDate: IsoDate, toDate: IsoDate, zone: TimeZone): string {
  const days = (Date.parse(toDate) - Date.parse(fromDate)) / MILLISECONDS_PER_DAY;
  return days === 0 ? instant : plusDaysIn(zone, new Date(instant), days).toISOString();
}

const MINUTES_PER_HOUR = 60n;

/** 50 is `"0.833333"`: for reading only, amounts are computed from minutes. */
export function hoursOf(minutes: number): Decimal {
  return decimalOf(divideHalfUp(BigInt(minutes) * MILLION, MINUTES_PER_HOUR));
}

/** Six digits are enough for the nearest minute to be exact: `"1.516667"` is 91. */
export function minutesOfQuantity(hours: Decimal): number {
  const { numerator, denominator } = fractionOf(hours);
  return Number(divideHalfUp(numerator * MINUTES_PER_HOUR, denominator));
}

/** JavaScript writes only smaller numbers than this with an exponent; all are less than half a minute. */
const NEGLIGIBLE_HOURS = 0.001;

/** Rounded half up: 1.025 is 62, though binary floats make less than 61.5. */
export function minutesOfHours(hours: number): number {
  return hours < NEGLIGIBLE_HOURS ? 0 : minutesOfQuantity(decimalFromNumber(hours));
}

const CLOCK_DURATION = /^(\d{1,4}):([0-5]\d)$/;
const WORDED_DURATION = /^(?:(\d{1,4}(?:\.\d{1,3})?) ?h)? ?(?:(\d{1,6}) ?(?:m|min)?)?$/i;

/** A duration as people write it: `1h 30m`, `1:30`, `1.5 h`, `90 min`. Undefined if it is none. */
export function minutesIn(text: string): number | undefined {
  const [, hours, minutes] = CLOCK_DURATION.exec(text) ?? WORDED_DURATION.exec(text) ?? [];
  if (hours === undefined && minutes === undefined) return undefined;
  return minutesOfHours(Number(hours ?? 0)) + Number(minutes ?? 0);
}
