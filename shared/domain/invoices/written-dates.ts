import { isAmerican, type Locale } from '#shared/domain/locale.ts';
import { type IsoDate, midnightOf } from '#shared/domain/tracker/work-time.ts';

export type DateWriter = (date: IsoDate) => string;

/** Writes `2026-11-03` as `3 November 2026`, or `November 3, 2026` in American English. */
export function dateWriter(locale: Locale, sellerCountry: string | null): DateWriter {
  const english = isAmerican(locale, sellerCountry) ? 'en-US' : UNAMBIGUOUS_ENGLISH;
  const dates = new Intl.DateTimeFormat(locale === 'en' ? english : locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  return (date) => dates.format(new Date(midnightOf(date)));
}

const UNAMBIGUOUS_ENGLISH = 'en-GB';

/** Empty without a date; `3 November 2026 – ` without the second. */
export function writtenDates(from: IsoDate | null, to: IsoDate | null, write: DateWriter): string {
  if (from === null && to === null) return '';
  if (from === to && from !== null) return write(from);
  return `${from === null ? '' : write(from)} – ${to === null ? '' : write(to)}`;
}
