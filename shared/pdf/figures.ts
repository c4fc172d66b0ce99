import { dateWriter } from '#shared/domain/invoices/written-dates.ts';
import type { Locale } from '#shared/domain/locale.ts';
import { minorDigits } from '#shared/domain/money.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { unitWriter } from './units.ts';

export type Figures = ReturnType<typeof createFigures>;

/** More than any amount or price has. */
const MOST_DIGITS = 20;

/** By default, some languages group only five digits or more, which would look uneven in a column. */
const GROUPED = { useGrouping: 'always' } as const;

/** Numbers and dates in the language of an invoice. `Intl` takes decimal strings, which a float could not all hold. */
/** @param sellerCountry decides how English writes a date */
export function createFigures(locale: Locale, currency: string, sellerCountry: string | null = null) {
  const withDigits = memoized(
    (least: number) =>
      new Intl.NumberFormat(locale, { ...GROUPED, minimumFractionDigits: least, maximumFractionDigits: MOST_DIGITS }),
  );
  const digits = minorDigits(currency);
  const moneyWithDigits = memoized(
    (least: number) =>
      new Intl.NumberFormat(locale, {
        ...GROUPED,
        style: 'currency',
        currency,
        minimumFractionDigits: least,
        maximumFractionDigits: MOST_DIGITS,
      }),
  );
  const moneyAlone = (amount: string) => moneyWithDigits(digits).format(exactly(amount));
  const hasSign = !moneyAlone('0').includes(currency);
  const inColumn = hasSign ? moneyWithDigits : withDigits;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: MOST_DIGITS });
  const countries = new Intl.DisplayNames([locale], { type: 'region' });
  const point = withDigits(0).formatToParts(0.5)[1]?.value ?? '.';

  return {
    /** With all its digits: `"1234567.50"` is `1,234,567.50` */
    number: (decimal: string) => withDigits(decimal.split('.')[1]?.length ?? 0).format(exactly(decimal)),
    /**
     * With at least the digits of the currency: `"19.9"` of USD is `$19.90`, and `"0.0045"` is `$0.0045`. A bare number
     * where the language has no sign for the currency, whose code stands in the head of the column.
     */
    money: (decimal: string) => inColumn(Math.max(digits, decimal.split('.')[1]?.length ?? 0)).format(exactly(decimal)),
    /** An amount that stands alone: it has the code of a currency without a sign, as in `BHD 1,234.500` */
    moneyAlone,
    /** `"7.50"` is `7.5%` */
    percent: (rate: string) => percent.format(exactly(`${rate}e-2`)),
    date: dateWriter(locale, sellerCountry),
    /** The decimal point (or the colon of a time) and everything after it; else the sign after the number, if any */
    fractionOf: (figure: string) => {
      const start = Math.max(figure.lastIndexOf(point), figure.lastIndexOf(':'));
      return start < 0 ? (figure.split(/\d/).at(-1) ?? '') : figure.slice(start);
    },
    /** A unit for this many: `hours` */
    unit: unitWriter(locale),
    /** @param code ISO 3166 alpha-2 */
    country: (code: string) => countries.of(code) ?? code,
    capitals: (text: string) => text.toLocaleUpperCase(locale),
  };
}

function exactly(decimal: string): `${number}` {
  if (!/^-?\d+(?:\.\d+)?(?:e-2)?$/.test(decimal)) throw new Error(`Not a decimal string: ${decimal}`);
  return decimal as `${number}`;
}
