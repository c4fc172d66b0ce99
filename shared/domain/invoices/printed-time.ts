import { type IsoDate, isDate, minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import type { LineItem } from './invoice.ts';

export function billsTime({ entryIds }: Pick<LineItem, 'entryIds'>): boolean {
  return entryIds.length > 0;
}

const MINUTES_PER_HOUR = 60;

/** `"1.516667"` is `1:31`. */
export function clockHours(hours: string): string {
  const minutes = minutesOfQuantity(hours);
  return `${Math.floor(minutes / MINUTES_PER_HOUR)}:${String(minutes % MINUTES_PER_HOUR).padStart(2, '0')}`;
}

export interface DatedText {
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** Empty if the dates are all. */
  readonly text: string;
}

/** `2026-11-20`, `2026-11-02 to 2026-11-20` or `2026-11-20: Design`, as `tracked-time.ts` describes its lines. */
const DATED = /^(\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d)|: (.*))?$/s;

export function datedText(description: string): DatedText | null {
  const [, from = '', to = from, text = ''] = DATED.exec(description) ?? [];
  return isDate(from) && isDate(to) ? { from, to, text } : null;
}

export function isNamelessTime(name: string): boolean {
  return name === 'Tracked time';
}
