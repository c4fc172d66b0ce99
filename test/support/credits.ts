import fc from 'fast-check';
import { type Currency, MILLION, type Recount, recountOf } from './recount.ts';

/** Invoices, and credits that cancel them. */

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

/** @param amounts of each line before the discount */
export function countedOf(draw: DrawnCredits, amounts: readonly bigint[]): Recount {
  const taxes = draw.lines.map(({ tax: { category, rate } }) => category && { category, rate: rate ?? 0n });
  return recountOf(amounts, taxes, draw);
}
