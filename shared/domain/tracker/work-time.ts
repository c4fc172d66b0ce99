import { type Decimal, decimalFromNumber, divideHalfUp, fractionOf } from '#shared/domain/money.ts';

/** `YYYY-MM-DD`, in UTC. */
export type IsoDate = string;

const MILLISECONDS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1_440;

/** Rounded up, at least one: a started minute is a worked minute. */
export function billableMinutes(startedAt: Date, endedAt: Date): number {
  return Math.max(1, Math.ceil((endedAt.getTime() - startedAt.getTime()) / MILLISECONDS_PER_MINUTE));
}

export function dateOf(instant: Date): IsoDate {
  return instant.toISOString().slice(0, 10);
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
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

function instantAt(date: IsoDate, time: string): Date {
  return new Date(`${date}T${time}:00.000Z`);
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

export function clockSpanOf(date: IsoDate, { startTime, endTime }: ClockTimes): ClockSpan {
  const startedAt = instantAt(date, startTime).toISOString();
  const sameDay = instantAt(date, endTime).toISOString();
  return { startedAt, endedAt: sameDay > startedAt ? sameDay : plusMinutes(sameDay, MINUTES_PER_DAY) };
}

export function minutesOf({ startedAt, endedAt }: ClockSpan): number {
  return (Date.parse(endedAt) - Date.parse(startedAt)) / MILLISECONDS_PER_MINUTE;
}

const LAST_DATE = '9999-12-31';

/** At most `9999-12-31`. */
export function plusDays(date: IsoDate, days: number): IsoDate {
  const later = plusMinutes(midnightOf(date), days * MINUTES_PER_DAY);
  return later.startsWith('+') ? LAST_DATE : later.slice(0, LAST_DATE.length);
}

export function moveToDate(span: ClockSpan, fromDate: IsoDate, toDate: IsoDate): ClockSpan {
  const minutes = (Date.parse(toDate) - Date.parse(fromDate)) / MILLISECONDS_PER_MINUTE;
  return { startedAt: plusMinutes(span.startedAt, minutes), endedAt: plusMinutes(span.endedAt, minutes) };
}

const QUANTITY_DIGITS = 6;
const QUANTITY_SCALE = 10n ** BigInt(QUANTITY_DIGITS);
const MINUTES_PER_HOUR = 60n;

/** 50 is `"0.833333"`: for reading only, amounts are computed from minutes. */
export function hoursOf(minutes: number): Decimal {
  const scaled = divideHalfUp(BigInt(minutes) * QUANTITY_SCALE, MINUTES_PER_HOUR)
    .toString()
    .padStart(QUANTITY_DIGITS + 1, '0');
  const whole = scaled.slice(0, -QUANTITY_DIGITS);
  const digits = scaled.slice(-QUANTITY_DIGITS).replace(/(?<!0)0+$/, '');
  return digits === '' ? whole : `${whole}.${digits}`;
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
  if (hours < NEGLIGIBLE_HOURS) return 0;
  const { numerator, denominator } = fractionOf(decimalFromNumber(hours));
  return Number(divideHalfUp(numerator * MINUTES_PER_HOUR, denominator));
}

const CLOCK_DURATION = /^(\d{1,4}):([0-5]\d)$/;
const WORDED_DURATION = /^(?:(\d{1,4}(?:\.\d{1,3})?) ?h)? ?(?:(\d{1,6}) ?(?:m|min)?)?$/i;

/** A duration as people write it: `1h 30m`, `1:30`, `1.5 h`, `90 min`. Undefined if it is none. */
export function minutesIn(text: string): number | undefined {
  const [, hours, minutes] = CLOCK_DURATION.exec(text) ?? WORDED_DURATION.exec(text) ?? [];
  if (hours === undefined && minutes === undefined) return undefined;
  return minutesOfHours(Number(hours ?? 0)) + Number(minutes ?? 0);
}
