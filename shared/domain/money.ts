/** Rates are decimal strings, amounts bigints in minor units. No binary float comes between. */

/** A number as text, such as `19.90`, without an exponent. */
export type Decimal = string;

/** ISO 4217 minor units other than two digits. The runtime's own digits follow cash practice for some currencies. */
const MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

const USUAL_MINOR_DIGITS = 2;

/** 0 for JPY, 2 for USD, 3 for BHD. */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS.get(currency) ?? USUAL_MINOR_DIGITS;
}

/** `"1.5"` is 15 / 10. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function fractionOf(decimal: Decimal): Fraction {
  const [whole = '', digits = ''] = decimal.split('.');
  return { numerator: BigInt(whole + digits), denominator: 10n ** BigInt(digits.length) };
}

export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

const MINUTES_PER_HOUR = 60n;

/** Minutes / 60 x hourly rate, rounded half up to the minor unit. */
export function workAmountMinor(minutes: number, rate: Decimal, currency: string): bigint {
  const { numerator, denominator } = fractionOf(rate);
  const scale = 10n ** BigInt(minorDigits(currency));
  return divideHalfUp(BigInt(minutes) * numerator * scale, MINUTES_PER_HOUR * denominator);
}

/** Quantity x price, rounded half up to the minor unit. */
export function lineAmountMinor(quantity: Decimal, price: Decimal, currency: string): bigint {
  const [many, each] = [fractionOf(quantity), fractionOf(price)];
  const scale = 10n ** BigInt(minorDigits(currency));
  return divideHalfUp(many.numerator * each.numerator * scale, many.denominator * each.denominator);
}

export function sumMinor(amountsMinor: readonly bigint[]): bigint {
  return amountsMinor.reduce((sum, amount) => sum + amount, 0n);
}

const PERCENT = 100n;

export function percentageMinor(amountMinor: bigint, percentage: Decimal): bigint {
  const { numerator, denominator } = fractionOf(percentage);
  return divideHalfUp(amountMinor * numerator, PERCENT * denominator);
}

/** Removes superfluous zeros: `"095.50"` is `"95.5"`. */
export function canonicalDecimal(decimal: Decimal): Decimal {
  const [whole = '', digits = ''] = decimal.split('.');
  const meant = digits.replace(/(?<!0)0+$/, '');
  return `${BigInt(whole)}${meant && `.${meant}`}`;
}

/** `"1.5"` and `"0.75"` are `"2.25"`. */
export function sumOfDecimals(one: Decimal, other: Decimal): Decimal {
  return decimalOf(millionths(one) + millionths(other));
}

/** @param less no more than `decimal` */
export function differenceOf(decimal: Decimal, less: Decimal): Decimal {
  return decimalOf(millionths(decimal) - millionths(less));
}

/** As many digits after the point as callers may send. */
const MOST_DIGITS = 6;

export const MILLION = 10n ** BigInt(MOST_DIGITS);

function millionths(decimal: Decimal): bigint {
  const [whole = '', digits = ''] = decimal.split('.');
  return BigInt(whole + digits.padEnd(MOST_DIGITS, '0'));
}

export function decimalOf(ofMillionths: bigint): Decimal {
  const text = ofMillionths.toString().padStart(MOST_DIGITS + 1, '0');
  return canonicalDecimal(`${text.slice(0, -MOST_DIGITS)}.${text.slice(-MOST_DIGITS)}`);
}

export function compareDecimals(one: Decimal, other: Decimal): number {
  const [a, b] = [fractionOf(one), fractionOf(other)];
  return Number(a.numerator * b.denominator - b.numerator * a.denominator);
}

/** @returns undefined if the decimal has more digits after the point than the currency */
export function exactMinor(decimal: Decimal, currency: string): bigint | undefined {
  const [whole = '', digits = ''] = decimal.split('.');
  const places = minorDigits(currency);
  return digits.length > places ? undefined : BigInt(whole + digits.padEnd(places, '0'));
}

export function parseMinor(amount: Decimal): bigint {
  return BigInt(amount.replace('.', ''));
}

/** 1999 of USD is `"19.99"`, 5 of JPY is `"5"`. */
export function formatMinor(amountMinor: bigint, currency: string): Decimal {
  if (amountMinor < 0n) return `-${formatMinor(-amountMinor, currency)}`;
  const digits = minorDigits(currency);
  const text = amountMinor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export function minorAsNumber(amountMinor: bigint, currency: string): number {
  return Number(formatMinor(amountMinor, currency));
}

const DECIMAL = /^\d{1,12}(?:\.\d{1,6})?$/;

export const DECIMAL_PATTERN = DECIMAL.source;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** JavaScript prints the shortest string that reads back as the same number, which is what the caller typed. */
export function decimalFromNumber(value: number): Decimal {
  return value.toString();
}
