import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClient } from '#shared/domain/clients/client.ts';
import { asSent, type Invoice, newInvoice } from '#shared/domain/invoices/invoice.ts';
import { lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { payRest, recordPayment, takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { organizationOf } from '#test/support/organization.ts';

/** Every figure of an invoice against a plain recount in whole numbers, which shares no arithmetic with the service. */

const INVOICES = 10_000;

const DIGITS = { JPY: 0, USD: 2, BHD: 3 } as const;

type Currency = keyof typeof DIGITS;

/** All decimals are drawn as millionths. */
const MILLION = 1_000_000n;

const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  return 2n * rest >= denominator ? quotient + 1n : quotient;
};

const decimalOf = (millionths: bigint): string =>
  `${millionths / MILLION}.${String(millionths % MILLION).padStart(6, '0')}`;

/** An amount in minor units, with all digits of its currency. */
const written = (minor: bigint, currency: Currency): string => {
  const scale = 10n ** BigInt(DIGITS[currency]);
  return DIGITS[currency] === 0
    ? String(minor)
    : `${minor / scale}.${String(minor % scale).padStart(DIGITS[currency], '0')}`;
};

const millionths = (most: number) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: BigInt(most) * MILLION }),
    fc.nat({ max: most }).map((whole) => BigInt(whole) * MILLION),
  );

/** Each as it is written and what it is; `7` and `7.00` are one rate. */
const RATES = [
  ['0', 0n],
  ['7', 7_000_000n],
  ['7.00', 7_000_000n],
  ['19', 19_000_000n],
  ['8.875', 8_875_000n],
  ['100', 100_000_000n],
] as const;

const drawn = fc.record({
  currency: fc.constantFrom<Currency>('USD', 'JPY', 'BHD'),
  lines: fc.array(
    fc.record({
      quantity: millionths(1_000),
      price: millionths(10_000),
      rate: fc.option(fc.constantFrom(...RATES)),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  discount: fc.option(millionths(100)),
  /** What each payment takes of what is due then, in thousandths. */
  payments: fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 5 }),
  /** Which of the payments is taken back. */
  returned: fc.nat({ max: 9 }),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

interface Recount {
  readonly lines: { readonly amount: bigint; readonly discount: bigint; readonly tax: bigint }[];
  readonly total: bigint;
}

function recount({ currency, lines, discount }: Drawn): Recount {
  const scale = 10n ** BigInt(DIGITS[currency]);
  const counted = lines.map(({ quantity, price, rate }) => {
    const amount = halfUp(quantity * price * scale, MILLION * MILLION);
    const less = discount === null ? 0n : halfUp(amount * discount, 100n * MILLION);
    return { amount, discount: less, tax: rate ? halfUp((amount - less) * rate[1], 100n * MILLION) : 0n };
  });
  return { lines: counted, total: counted.reduce((sum, line) => sum + line.amount - line.discount + line.tax, 0n) };
}

const now = new Date('2026-11-20T12:00:00.000Z');
const client = newClient({ name: 'Globex' }, 'org', 'client', now);

function invoiceOf({ currency, lines, discount }: Drawn): Invoice {
  const drafts = lines.map(({ quantity, price, rate }) => ({
    name: 'Work',
    quantity: decimalOf(quantity),
    price: decimalOf(price),
    taxRate: rate?.[0] ?? null,
  }));
  const none = { products: new Map(), entries: new Map(), projectNames: new Map(), ownProductIds: new Set<string>() };
  const lineItems = lineItemsOf(drafts, { ...none, currency, newId: () => 'line' });
  const discountPercent = discount === null ? null : decimalOf(discount);
  const terms = { currency, dueDate: null, notes: null, discountPercent };
  return asSent(newInvoice(terms, { organization: organizationOf(), client }, lineItems, 'id', now), 'INV-000001', now);
}

function expectedFigures({ currency, lines }: Drawn, { lines: counted, total }: Recount) {
  const sum = (of: (line: Recount['lines'][number]) => bigint, some = counted) =>
    written(
      some.reduce((all, line) => all + of(line), 0n),
      currency,
    );
  const rates = [...new Set(lines.flatMap(({ rate }) => (rate ? rate[1] : [])))].sort((a, b) => (a < b ? -1 : 1));
  return {
    lineItems: counted.map((line) => ({
      amount: written(line.amount, currency),
      discount: written(line.discount, currency),
    })),
    discountTotal: sum((line) => line.discount),
    subtotal: sum((line) => line.amount - line.discount),
    taxTotal: sum((line) => line.tax),
    total: written(total, currency),
    taxes: rates.map((rate) => {
      const ofRate = counted.filter((_, position) => lines[position]?.rate?.[1] === rate);
      return {
        taxRate: decimalOf(rate).replace(/\.?0+$/, ''),
        base: sum((line) => line.amount - line.discount, ofRate),
        amount: sum((line) => line.tax, ofRate),
      };
    }),
  };
}

const shown = (invoice: Invoice) => presentInvoice(invoice, '2026-11-20');

describe('the figures of an invoice', () => {
  it(`are those of a plain recount, for ${INVOICES} invoices with discounts, taxes and payments`, () => {
    const run = (draw: Drawn) => {
      const { currency } = draw;
      const counted = recount(draw);
      let invoice = invoiceOf(draw);
      expect(shown(invoice)).toMatchObject(expectedFigures(draw, counted));
      let due = counted.total;
      const made = [];
      for (const share of draw.payments) {
        if (due === 0n) break;
        const minor = halfUp(due * BigInt(share), 1_000n) || 1n;
        const draft = { amount: written(minor, currency), method: null, reference: null };
        const recorded = recordPayment(invoice, draft, 'payment', now);
        invoice = recorded.invoice;
        made.push({ minor, payment: recorded.payment });
        due -= minor;
        expect(shown(invoice)).toMatchObject(paid(counted.total, due, made.length, currency));
      }
      const back = made[draw.returned];
      if (back) {
        invoice = takePaymentBack(invoice, back.payment, now);
        due += back.minor;
        expect(shown(invoice)).toMatchObject(paid(counted.total, due, made.length - 1, currency));
      }
      if (invoice.status === 'paid') return;
      const rest = payRest(invoice, 'rest', now);
      expect(rest.payment?.amount ?? null).toBe(due === 0n ? null : written(due, currency));
      expect(shown(rest.invoice)).toMatchObject({ status: 'paid', amountDue: written(0n, currency) });
    };
    fc.assert(fc.property(drawn, run), { numRuns: INVOICES });
  }, 120_000);

  const paid = (total: bigint, due: bigint, paymentCount: number, currency: Currency) => ({
    status: due === 0n ? 'paid' : 'sent',
    amountPaid: written(total - due, currency),
    amountDue: written(due, currency),
    paymentCount,
  });

  it('tell an invoice that is sent and was due before today as overdue, and no other', () => {
    const [line] = [{ quantity: MILLION, price: MILLION, rate: null }];
    const draw: Drawn = { currency: 'USD', lines: [line], discount: null, payments: [], returned: 0 };
    const sent: Invoice = { ...invoiceOf(draw), dueDate: '2026-11-20' };
    expect(presentInvoice(sent, '2026-11-20').isOverdue).toBe(false);
    expect(presentInvoice(sent, '2026-11-21').isOverdue).toBe(true);
    for (const status of ['draft', 'paid', 'void'] as const) {
      expect(presentInvoice({ ...sent, status }, '2026-11-21').isOverdue).toBe(false);
    }
    expect(presentInvoice({ ...sent, dueDate: null }, '2026-11-21').isOverdue).toBe(false);
  });
});
