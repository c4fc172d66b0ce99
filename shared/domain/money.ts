/**
 * Exact money. A rate is a decimal string. An amount is a whole number of the currency's minor units, as a bigint.
 * No step in between uses a binary float.
 */

/**
 * ISO 4217 minor units that are not two digits, for the currencies in the runtime's list. The runtime's own digits
 * follow cash practice for some currencies, so they are not used.
 */
const MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map((currency) => [currency, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency) => [currency, 3] as const),
]);

const USUAL_MINOR_DIGITS = 2;

/** Digits after the point of an amount: 0 for JPY, 2 for USD, 3 for BHD. */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS.get(currency) ?? USUAL_MINOR_DIGITS;
}

/** A decimal string as a fraction of whole numbers: `"1.5"` is 15 / 10. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function fractionOf(decimal: string): Fraction {
  const [whole = '', digits = ''] = decimal.split('.');
  return { numerator: BigInt(whole + digits), denominator: 10n ** BigInt(digits.length) };
}

/** Divides two non-negative whole numbers and rounds half up. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

const MINUTES_PER_HOUR = 60n;

/**
 * Minutes / 60 x rate, rounded half up to the currency's minor unit.
 *
 * @param rate decimal string, by the hour
 */
export function workAmountMinor(minutes: number, rate: string, currency: string): bigint {
  const { numerator, denominator } = fractionOf(rate);
  const scale = 10n ** BigInt(minorDigits(currency));
  return divideHalfUp(BigInt(minutes) * numerator * scale, MINUTES_PER_HOUR * denominator);
}

/**
 * Quantity x price, rounded half up to the currency's minor unit.
 *
 * @param quantity decimal string
 * @param price decimal string
 */
export function lineAmountMinor(quantity: string, price: string, currency: string): bigint {
  const [many, each] = [fractionOf(quantity), fractionOf(price)];
  const scale = 10n ** BigInt(minorDigits(currency));
  return divideHalfUp(many.numerator * each.numerator * scale, many.denominator * each.denominator);
}

const PERCENT = 100n;

/** @param percentage decimal string @returns this percentage of the amount, rounded half up to a whole minor unit */
export function percentageMinor(amountMinor: bigint, percentage: string): bigint {
  const { numerator, denominator } = fractionOf(percentage);
  return divideHalfUp(amountMinor * numerator, PERCENT * denominator);
}

/** A decimal string without superfluous zeros: `"095.50"` is `"95.5"`. */
export function canonicalDecimal(decimal: string): string {
  const [whole = '', digits = ''] = decimal.split('.');
  const meant = digits.replace(/0+$/, '');
  return `${BigInt(whole)}${meant && `.${meant}`}`;
}

/** Orders decimal strings as numbers. @returns a negative number, zero, or a positive number */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [fractionOf(one), fractionOf(other)];
  return Number(a.numerator * b.denominator - b.numerator * a.denominator);
}

/** A decimal string as minor units, or undefined if it has more digits after the point than the currency. */
export function exactMinor(decimal: string, currency: string): bigint | undefined {
  const [whole = '', digits = ''] = decimal.split('.');
  const places = minorDigits(currency);
  return digits.length > places ? undefined : BigInt(whole + digits.padEnd(places, '0'));
}

/** The inverse of {@link formatMinor}. */
export function parseMinor(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** An amount in minor units as a decimal string with all its digits: 1999 of USD is `"19.99"`, 5 of JPY is `"5"`. */
export function formatMinor(amountMinor: bigint, currency: string): string {
  if (amountMinor < 0n) return `-${formatMinor(-amountMinor, currency)}`;
  const digits = minorDigits(currency);
  const text = amountMinor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** An amount as a JSON number, which some totals of the interface are. The decimal string beside it is exact. */
export function minorAsNumber(amountMinor: bigint, currency: string): number {
  return Number(formatMinor(amountMinor, currency));
}

const DECIMAL = /^\d{1,12}(?:\.\d{1,6})?$/;

/** The pattern of decimal strings in requests: at most 12 digits before and 6 after the point; no sign, no exponent. */
export const DECIMAL_PATTERN = DECIMAL.source;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/**
 * A JSON number as the decimal string that a caller would have typed. JavaScript prints the shortest string that
 * reads back as the same number.
 */
export function decimalFromNumber(value: number): string {
  return value.toString();
}
