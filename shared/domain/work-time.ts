import { divideHalfUp } from './money.ts';

/** Time that was worked: dates, clock times and whole minutes, all in UTC (service interface, "Work entries"; decisions, section 5). */

const MILLISECONDS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1_440;

/** Whole minutes between two instants, rounded up and never less than one: a started minute is a worked minute. */
export function billableMinutes(startedAt: Date, endedAt: Date): number {
  return Math.max(1, Math.ceil((endedAt.getTime() - startedAt.getTime()) / MILLISECONDS_PER_MINUTE));
}

/** The UTC date of an instant, `YYYY-MM-DD`. */
export function dateOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** @param date `YYYY-MM-DD` @returns that midnight as ISO 8601 */
export function midnightOf(date: string): string {
  return `${date}T00:00:00.000Z`;
}

/** @param time `HH:mm` */
function instantAt(date: string, time: string): Date {
  return new Date(`${date}T${time}:00.000Z`);
}

/** @param instant ISO 8601 */
export function plusMinutes(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * MILLISECONDS_PER_MINUTE).toISOString();
}

export interface ClockTimes {
  /** `HH:mm` */
  readonly startTime: string;
  /** `HH:mm`; one that is not after the start means the next day */
  readonly endTime: string;
}

export interface Span {
  /** ISO 8601 */
  readonly startedAt: string;
  readonly endedAt: string;
}

/** The span between two clock times, the first of which is on the date. */
export function spanOf(date: string, { startTime, endTime }: ClockTimes): Span {
  const startedAt = instantAt(date, startTime).toISOString();
  const sameDay = instantAt(date, endTime).toISOString();
  return { startedAt, endedAt: sameDay > startedAt ? sameDay : plusMinutes(sameDay, MINUTES_PER_DAY) };
}

export function minutesOf({ startedAt, endedAt }: Span): number {
  return (Date.parse(endedAt) - Date.parse(startedAt)) / MILLISECONDS_PER_MINUTE;
}

/** The same clock times as many days later or earlier as the dates lie apart. */
export function moveToDate(span: Span, fromDate: string, toDate: string): Span {
  const minutes = (Date.parse(toDate) - Date.parse(fromDate)) / MILLISECONDS_PER_MINUTE;
  return { startedAt: plusMinutes(span.startedAt, minutes), endedAt: plusMinutes(span.endedAt, minutes) };
}

const QUANTITY_DIGITS = 6;
const QUANTITY_SCALE = 10n ** BigInt(QUANTITY_DIGITS);
const MINUTES_PER_HOUR = 60n;

/** Minutes as hours in a decimal string of at most six digits behind the point: 90 is `"1.5"`, 50 is `"0.833333"`. For reading only; amounts come from minutes. */
export function hoursOf(minutes: number): string {
  const scaled = divideHalfUp(BigInt(minutes) * QUANTITY_SCALE, MINUTES_PER_HOUR)
    .toString()
    .padStart(QUANTITY_DIGITS + 1, '0');
  const whole = scaled.slice(0, -QUANTITY_DIGITS);
  const digits = scaled.slice(-QUANTITY_DIGITS).replace(/0+$/, '');
  return digits === '' ? whole : `${whole}.${digits}`;
}
