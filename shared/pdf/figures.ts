import { canonicalDecimal, minorDigits } from '#shared/domain/money.ts';

/** Numbers and dates as an invoice prints them, made from decimal strings: a binary float cannot hold them all. */

/** `"1234567.5"` is `"1,234,567.5"`. */
export function grouped(decimal: string): string {
  const [whole = '', digits] = decimal.split('.');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return digits === undefined ? groups : `${groups}.${digits}`;
}

/** A price shows at least the digits of its currency: `"19.9"` of USD is `"19.90"`, and `"0.0045"` stays. */
export function priceFigure(decimal: string, currency: string): string {
  const [whole = '', digits = ''] = decimal.split('.');
  const all = digits.padEnd(minorDigits(currency), '0');
  return grouped(all === '' ? whole : `${whole}.${all}`);
}

/** `"7.50"` is `"7.5%"`. */
export function percentFigure(rate: string): string {
  return `${canonicalDecimal(rate)}%`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** @param date `YYYY-MM-DD` @returns an unambiguous date: `3 November 2026` */
export function writtenDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}
