import fc from 'fast-check';

/**
 * Invoices, credits that cancel them, and a plain recount of both in whole numbers, which shares no arithmetic with the
 * service.
 */

const DIGITS = { JPY: 0, USD: 2, EUR: 2, BHD: 3 } as const;

export type Currency = keyof typeof DIGITS;

const MILLION = 1_000_000n;

/** Some have one rate, and are of different categories. */
const TAXES = [
  { category: null, rate: null },
  { category: 'zero', rate: 0n },
  { category: 'exempt', rate: 0n },
  { category: 'reverse_charge', rate: 0n },
  { category: 'reverse_charge', rate: null },
  { category: 'standard', rate: 7_000_000n },
  { category: 'standard', rate: 19_000_000n },
  { category: 'standard', rate: 8_875_000n },
] as const;

type Tax = (typeof TAXES)[number];

const plainLine = fc.record({
  kind: fc.constant('plain' as const),
  /** In millionths. */
  quantity: fc.oneof(
    fc.bigInt({ min: 1n, max: 50n }).map((whole) => whole * MILLION),
    fc.bigInt({ min: 1n, max: 50n * MILLION }),
  ),
  price: fc.bigInt({ min: 0n, max: 900n * MILLION }),
  tax: fc.constantFrom<Tax>(...TAXES),
  by: fc.constantFrom('quantity', 'amount'),
});

const timeLine = fc.record({
  kind: fc.constant('time' as const),
  /** In the order of their days, each so many behind the one before. */
  entries: fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 900 }), days: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
  /** The entries are credited from the last one on. */
  isBackward: fc.boolean(),
  price: fc.bigInt({ min: 0n, max: 200n * MILLION }),
  tax: fc.constantFrom<Tax>(...TAXES),
});

export const drawnCredits = fc.record({
  currency: fc.constantFrom<Currency>('USD', 'EUR', 'JPY', 'BHD'),
  rounding: fc.constantFrom('line', 'rate'),
  /** In millionths of a percent. */
  discount: fc.option(fc.bigInt({ min: 0n, max: 100n * MILLION })),
  lines: fc.array(fc.oneof({ weight: 2, arbitrary: plainLine }, timeLine), { minLength: 1, maxLength: 5 }),
  /** Each credit but the last takes these thousandths of what is left of each line; none where they are negative. */
  credits: fc.array(fc.array(fc.integer({ min: -300, max: 1_000 }), { minLength: 5, maxLength: 5 }), { maxLength: 7 }),
});

export type DrawnCredits = typeof drawnCredits extends fc.Arbitrary<infer T> ? T : never;

const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  return 2n * rest >= denominator ? quotient + 1n : quotient;
};

export const decimalOf = (millionths: bigint): string =>
  `${millionths / MILLION}.${String(millionths % MILLION).padStart(6, '0')}`;

export const written = (minor: bigint, currency: Currency): string => {
  const digits = DIGITS[currency];
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** All figures of what some lines come to, in minor units. */
export interface Counted {
  readonly discount: bigint;
  /** By category and rate: `exempt 0.000000` */
  readonly taxes: ReadonlyMap<string, { readonly base: bigint; readonly tax: bigint }>;
  readonly total: bigint;
}

/** @param amounts of each line before the discount */
export function countedOf({ lines, discount, rounding }: DrawnCredits, amounts: readonly bigint[]): Counted {
  const less = amounts.map((amount) => (discount === null ? 0n : halfUp(amount * discount, 100n * MILLION)));
  const bases = amounts.map((amount, at) => amount - (less[at] ?? 0n));
  const taxOf = (base: bigint, rate: bigint) => halfUp(base * rate, 100n * MILLION);
  const kindOf = ({ category, rate }: Tax) => `${category} ${decimalOf(rate ?? 0n)}`;
  const kinds = new Map(lines.flatMap(({ tax }) => (tax.category === null ? [] : [[kindOf(tax), tax.rate ?? 0n]])));
  const taxes = [...kinds].map(([kind, rate]) => {
    const ofKind = bases.filter((_, at) => lines[at] && kindOf(lines[at].tax) === kind);
    const base = ofKind.reduce((all, one) => all + one, 0n);
    const byLine = ofKind.map((one) => taxOf(one, rate)).reduce((all, one) => all + one, 0n);
    return [kind, { base, tax: rounding === 'rate' ? taxOf(base, rate) : byLine }] as const;
  });
  const sum = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n);
  return {
    discount: sum(less),
    taxes: new Map(taxes),
    total: sum(bases) + sum(taxes.map(([, { tax }]) => tax)),
  };
}

/** Quantity x price. */
export function amountOf(currency: Currency, quantity: bigint, price: bigint): bigint {
  return halfUp(quantity * price * 10n ** BigInt(DIGITS[currency]), MILLION * MILLION);
}

export function timeAmountOf(currency: Currency, minutes: number, price: bigint): bigint {
  return halfUp(BigInt(minutes) * price * 10n ** BigInt(DIGITS[currency]), 60n * MILLION);
}
