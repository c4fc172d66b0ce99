import type { Locale } from '#shared/domain/locale.ts';
import { minorDigits } from '#shared/domain/money.ts';
import { midnightOf } from '#shared/domain/tracker/work-time.ts';

/**
 * Numbers and dates in the language of an invoice. Numbers are made from decimal strings, which `Intl` takes as they
 * are: a binary float cannot hold them all.
 */
export interface Figures {
  /** With all its digits: `"1234567.50"` is `1,234,567.50` */
  number(decimal: string): string;
  /** With at least the digits of the currency: `"19.9"` of USD is `19.90`, and `"0.0045"` stays */
  price(decimal: string): string;
  /** An amount with its currency: `EUR 1,234.50` */
  money(amount: string): string;
  /** `"7.50"` is `7.5%` */
  percent(rate: string): string;
  /** @param date `YYYY-MM-DD` @returns the month by its name: `3 November 2026` */
  date(date: string): string;
  /** Width-giving part of a figure: the point and what follows it; empty if it has no point */
  fractionOf(figure: string): string;
  /** The name of a country. @param code ISO 3166 alpha-2 */
  country(code: string): string;
  /** As a label shows it */
  capitals(text: string): string;
}

/** `Intl` has room for more digits than any amount or price has. */
const MOST_DIGITS = 20;

/** Some languages group only five digits or more in running text. In a column of figures all are grouped alike. */
const GROUPED = { useGrouping: 'always' } as const;

export function createFigures(locale: Locale, currency: string): Figures {
  const byDigits = new Map<number, Intl.NumberFormat>();
  const withDigits = (least: number) => {
    const known = byDigits.get(least);
    if (known) return known;
    const format = new Intl.NumberFormat(locale, {
      ...GROUPED,
      minimumFractionDigits: least,
      maximumFractionDigits: MOST_DIGITS,
    });
    byDigits.set(least, format);
    return format;
  };
  const digits = minorDigits(currency);
  const money = new Intl.NumberFormat(locale, {
    ...GROUPED,
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: MOST_DIGITS });
  const dates = new Intl.DateTimeFormat(locale === 'en' ? UNAMBIGUOUS_ENGLISH : locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  const countries = new Intl.DisplayNames([locale], { type: 'region' });
  const point = withDigits(0).formatToParts(0.5)[1]?.value ?? '.';

  return {
    number: (decimal) => withDigits(decimal.split('.')[1]?.length ?? 0).format(exactly(decimal)),
    price: (decimal) => withDigits(Math.max(digits, decimal.split('.')[1]?.length ?? 0)).format(exactly(decimal)),
    money: (amount) => money.format(exactly(amount)),
    percent: (rate) => percent.format(exactly(`${rate}e-2`)),
    date: (date) => dates.format(new Date(midnightOf(date))),
    fractionOf: (figure) => {
      const start = Math.max(figure.lastIndexOf(point), figure.lastIndexOf(':'));
      return start < 0 ? '' : figure.slice(start);
    },
    country: (code) => countries.of(code) ?? code,
    capitals: (text) => text.toLocaleUpperCase(locale),
  };
}

/** `3 November 2026`: with the day first, as in all the other languages that write from left to right. */
const UNAMBIGUOUS_ENGLISH = 'en-GB';

function exactly(decimal: string): `${number}` {
  if (!isNumber(decimal)) throw new Error(`Not a decimal string: ${decimal}`);
  return decimal;
}

function isNumber(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?(?:e-2)?$/.test(text);
}
