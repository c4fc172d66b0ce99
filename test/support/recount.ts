import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';

/**
 * Invoices with discounts, taxes and payments, and a plain recount of them in whole numbers, which shares no arithmetic
 * with the service.
 */

const DIGITS = { JPY: 0, USD: 2, EUR: 2, BHD: 3 } as const;

export type Currency = keyof typeof DIGITS;

/** All decimals are drawn as millionths. */
export const MILLION = 1_000_000n;

const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  return 2n * rest >= denominator ? quotient + 1n : quotient;
};

export const decimalOf = (millionths: bigint): string =>
  `${millionths / MILLION}.${String(millionths % MILLION).padStart(6, '0')}`;

const shortest = (millionths: bigint): string => decimalOf(millionths).replace(/\.?0+$/, '');

/** An amount in minor units, with all digits of its currency. */
export const written = (minor: bigint, currency: Currency): string => {
  const scale = 10n ** BigInt(DIGITS[currency]);
  return DIGITS[currency] === 0
    ? String(minor)
    : `${minor / scale}.${String(minor % scale).padStart(DIGITS[currency], '0')}`;
};

/** Quantity x price. */
export const amountOf = (currency: Currency, quantity: bigint, price: bigint): bigint =>
  halfUp(quantity * price * 10n ** BigInt(DIGITS[currency]), MILLION * MILLION);

export const timeAmountOf = (currency: Currency, minutes: number, price: bigint): bigint =>
  halfUp(BigInt(minutes) * price * 10n ** BigInt(DIGITS[currency]), 60n * MILLION);

const millionths = (most: number) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: BigInt(most) * MILLION }),
    fc.nat({ max: most }).map((whole) => BigInt(whole) * MILLION),
  );

/** In the order in which a document has them. */
const CATEGORIES = ['standard', 'zero', 'exempt', 'reverse_charge'] as const;

/** The rate as it is written and what it is, and its category; `7` and `7.00` are one rate, `0` and none too. */
const TAXES = [
  ['0', 0n, 'zero'],
  ['0', 0n, 'exempt'],
  [null, 0n, 'reverse_charge'],
  ['0.0', 0n, 'reverse_charge'],
  ['7', 7_000_000n, 'standard'],
  ['7.00', 7_000_000n, 'standard'],
  ['19', 19_000_000n, 'standard'],
  ['8.875', 8_875_000n, 'standard'],
  ['100', 100_000_000n, 'standard'],
] as const;

export const drawnInvoice = fc.record({
  currency: fc.constantFrom<keyof typeof SIGNS>('USD', 'JPY', 'BHD'),
  lines: fc.array(
    fc.record({
      quantity: millionths(1_000),
      price: millionths(10_000),
      tax: fc.option(fc.constantFrom(...TAXES)),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  discount: fc.option(millionths(100)),
  rounding: fc.constantFrom('line', 'rate'),
  /** What each payment takes of what is due then, in thousandths. */
  payments: fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 5 }),
  /** Which of the payments is taken back. */
  returned: fc.nat({ max: 9 }),
});

export type Drawn = typeof drawnInvoice extends fc.Arbitrary<infer T> ? T : never;

/** What a caller sends of a drawn invoice. */
export function draftOf({ currency, lines, discount }: Drawn) {
  return {
    currency,
    discountPercent: discount === null ? null : decimalOf(discount),
    lineItems: lines.map(({ quantity, price, tax }) => ({
      name: 'Work',
      quantity: decimalOf(quantity),
      price: decimalOf(price),
      taxRate: tax?.[0] ?? null,
      taxCategory: tax?.[2] ?? null,
      taxExemptionReason: tax?.[2] === 'exempt' ? 'Education' : null,
    })),
  };
}

/** In minor units. */
export interface Recount {
  readonly lines: readonly { readonly amount: bigint; readonly discount: bigint }[];
  readonly taxes: readonly Taxed[];
  readonly total: bigint;
}

interface Taxed {
  readonly rate: bigint;
  readonly category: (typeof CATEGORIES)[number];
  readonly base: bigint;
  readonly amount: bigint;
}

export function recount(draw: Drawn): Recount {
  const { currency, lines } = draw;
  const taxes = lines.map(({ tax }) => tax && { rate: tax[1], category: tax[2] });
  const amounts = lines.map(({ quantity, price }) => amountOf(currency, quantity, price));
  return recountOf(amounts, taxes, draw);
}

/**
 * @param amounts of each line before the discount
 * @param taxOfLines null for a line without a tax
 */
export function recountOf(
  amounts: readonly bigint[],
  taxOfLines: readonly (Pick<Taxed, 'rate' | 'category'> | null)[],
  { discount, rounding }: { readonly discount: bigint | null; readonly rounding: string },
): Recount {
  const counted = amounts.map((amount) => {
    return { amount, discount: discount === null ? 0n : halfUp(amount * discount, 100n * MILLION) };
  });
  const rates = [...new Set(taxOfLines.flatMap((tax) => tax?.rate ?? []))].sort((a, b) => (a < b ? -1 : 1));
  const taxes = rates.flatMap((rate) =>
    CATEGORIES.flatMap((category) => {
      const bases = counted
        .filter((_, at) => taxOfLines[at]?.rate === rate && taxOfLines[at]?.category === category)
        .map(base);
      const sum = bases.reduce((all, one) => all + one, 0n);
      const taxOf = (one: bigint) => halfUp(one * rate, 100n * MILLION);
      const amount = rounding === 'rate' ? taxOf(sum) : bases.map(taxOf).reduce((all, one) => all + one, 0n);
      return bases.length > 0 ? { rate, category, base: sum, amount } : [];
    }),
  );
  const net = counted.map(base).reduce((sum, one) => sum + one, 0n);
  return { lines: counted, taxes, total: taxes.reduce((sum, { amount }) => sum + amount, net) };
}

type Counted = Recount['lines'][number];

const base = ({ amount, discount }: Counted) => amount - discount;

const REASONS: Readonly<Partial<Record<Taxed['category'], string>>> = {
  exempt: 'Education',
  reverse_charge: 'Reverse charge: the customer accounts for the tax.',
};

/** @returns sums lines, and writes the sum by `write` */
const summing = (write: (minor: bigint) => string) => (of: (line: Counted) => bigint, lines: readonly Counted[]) =>
  write(lines.reduce((all, line) => all + of(line), 0n));

/** What the API shows of a sent invoice of which `due` minor units are still due. */
export function shownFigures(draw: Drawn, { lines, taxes, total }: Recount, due: bigint) {
  const write = (minor: bigint) => written(minor, draw.currency);
  const sum = summing(write);
  return {
    lineItems: lines.map(({ amount, discount }) => ({ amount: write(amount), discount: write(discount) })),
    discountTotal: sum(({ discount }) => discount, lines),
    subtotal: sum(base, lines),
    taxTotal: write(taxes.reduce((all, { amount }) => all + amount, 0n)),
    total: write(total),
    taxes: taxes.map(({ rate, category, base: taxed, amount }) => ({
      taxCategory: category,
      taxRate: shortest(rate),
      base: write(taxed),
      amount: write(amount),
      exemptionReason: REASONS[category] ?? null,
    })),
    amountPaid: write(total - due),
    amountDue: write(due),
  };
}

const grouped = (decimal: string): string => decimal.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

/** English has no sign for BHD. */
const SIGNS = { JPY: '¥', USD: '$', BHD: '' } as const;

/** An amount as a document shows it in English. */
export const printedAmount = (minor: bigint, currency: keyof typeof SIGNS): string =>
  SIGNS[currency] + grouped(written(minor, currency));

/**
 * What the document of it shows in English, in the order of reading: the figure at the top, the table of lines, the sums.
 *
 * @param status what the invoice is by then
 */
export function printedFigures(draw: Drawn, { lines, taxes, total }: Recount, due: bigint, status: 'sent' | 'paid') {
  const { currency, discount } = draw;
  const write = (minor: bigint) => printedAmount(minor, currency);
  const sum = summing(write);
  const less = lines.reduce((all, line) => all + line.discount, 0n);
  const isOfAll = taxes.length === 1 && write(taxes[0]?.base ?? 0n) === sum(base, lines);
  const hasTax = draw.lines.some(({ tax }) => typeof tax?.[0] === 'string');
  const top = status === 'sent' ? (['AMOUNT DUE', due] as const) : (['AMOUNT PAID', total - due] as const);
  return {
    top: [top[0], `${currency === 'BHD' ? 'BHD ' : ''}${write(top[1])}`],
    table: draw.lines.flatMap(({ quantity, price, tax }, position) => [
      'Work',
      grouped(decimalOf(quantity)),
      SIGNS[currency] + grouped(decimalOf(price)),
      ...(hasTax ? [typeof tax?.[0] === 'string' ? `${shortest(tax[1])}%` : ''] : []),
      write(lines[position]?.amount ?? -1n),
    ]),
    sums: [
      ...(less > 0n
        ? [
            'Sum of lines',
            sum(({ amount }) => amount, lines),
            `Discount ${shortest(discount ?? 0n)}%`,
            `-${write(less)}`,
          ]
        : []),
      ...(less > 0n || taxes.length > 0 ? ['Subtotal', sum(base, lines)] : []),
      ...taxes.flatMap(({ rate, category, base: taxed, amount }) => [
        `Tax ${shortest(rate)}%${categoryIn(taxes, rate, category)}${isOfAll ? '' : ` on ${write(taxed)}`}`,
        write(amount),
      ]),
      `Total ${currency}`,
      write(total),
      ...(status === 'sent' && due < total
        ? ['Amount paid', `-${write(total - due)}`, `Amount due ${currency}`, write(due)]
        : []),
    ],
  };
}

const CATEGORY_WORDS = { standard: '', zero: 'zero rate', exempt: 'exempt', reverse_charge: 'reverse charge' } as const;

/** Named where several taxes have the rate. */
const categoryIn = (taxes: readonly Taxed[], rate: bigint, category: Taxed['category']): string =>
  taxes.filter((other) => other.rate === rate).length > 1 ? ` (${CATEGORY_WORDS[category]})` : '';

interface Paying {
  readonly due: bigint;
  /** Of the payments that are there, in minor units. */
  readonly payments: readonly bigint[];
}

/**
 * What the drawn payments come to, with one that is taken back: each step by what it pays, or by which payment it takes
 * back.
 */
export function stepsOf({ payments, returned }: Drawn, { total }: Recount) {
  const paid: bigint[] = [];
  let due = total;
  for (const share of payments) {
    if (due === 0n) break;
    const minor = halfUp(due * BigInt(share), 1_000n) || 1n;
    paid.push(minor);
    due -= minor;
  }
  const back = paid[returned];
  const left: Paying =
    back === undefined
      ? { due, payments: paid }
      : { due: due + back, payments: paid.filter((_, position) => position !== returned) };
  return { paid, back: back === undefined ? undefined : returned, left };
}

/** `expect` takes most of the time of a file where it is asked 100,000 times. So it is asked only for its message. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
