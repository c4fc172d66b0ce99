import { divideHalfUp, fractionOf } from '#shared/domain/money.ts';
import { isDate } from '#shared/domain/tracker/work-time.ts';
import type { LineItem } from './invoice.ts';

/** Lines of tracked time as they are read: their hours as minutes, and the dates within their texts. */

export function billsTime({ entryIds }: Pick<LineItem, 'entryIds'>): boolean {
  return entryIds.length > 0;
}

const MINUTES_PER_HOUR = 60n;

/**
 * The minutes from which the hours of a line were made. Hours have six digits, so rounding moved them by less than
 * a ten-thousandth of a minute, and the next whole minute is the right one.
 *
 * @param hours decimal string @returns `h:mm`: `"1.516667"` is `"1:31"`
 */
export function clockHours(hours: string): string {
  const { numerator, denominator } = fractionOf(hours);
  const minutes = divideHalfUp(numerator * MINUTES_PER_HOUR, denominator);
  return `${minutes / MINUTES_PER_HOUR}:${(minutes % MINUTES_PER_HOUR).toString().padStart(2, '0')}`;
}

/** A text that begins with the days on which work was done. */
export interface DatedText {
  /** `YYYY-MM-DD` */
  readonly from: string;
  /** Equal to `from` for one day */
  readonly to: string;
  /** What is said of that day; empty if the dates are all */
  readonly text: string;
}

/** `2026-11-20`, `2026-11-02 to 2026-11-20` or `2026-11-20: what was done`, as lines of tracked time are described. */
const DATED = /^(\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d)|: (.*))?$/s;

/** @returns null for any other text */
export function datedText(description: string): DatedText | null {
  const [, from = '', to = from, text = ''] = DATED.exec(description) ?? [];
  return isDate(from) && isDate(to) ? { from, to, text } : null;
}

/** Whether a line of tracked time has the name of time without a project. */
export function isNamelessTime(name: string): boolean {
  return name === 'Tracked time';
}
