import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertion, listedInvoice } from '#shared/data/invoices/invoice-items.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { type Invoice, newInvoice, type Payment } from '#shared/domain/invoices/invoice.ts';
import { lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { withParties } from '#shared/domain/invoices/parties.ts';
import { payRest, recordPayment, takePaymentBack } from '#shared/domain/invoices/payments.ts';
import { presentInvoice, presentListed, type ShownListedInvoice } from '#shared/domain/invoices/present-invoice.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { asSent, asVoid } from '#shared/domain/invoices/sending.ts';
import { layOutInvoice } from '#shared/pdf/invoice-layout.ts';
import { printingOf } from '#shared/pdf/printing.ts';
import { draws } from '#test/support/draws.ts';
import { NO_SOURCES } from '#test/support/invoice-sources.ts';
import { organizationOf } from '#test/support/organization.ts';
import { PlainTypesetter } from '#test/support/plain-typesetter.ts';
import {
  type Drawn,
  draftOf,
  drawnInvoice,
  expectSame,
  MILLION,
  printedAmount,
  printedFigures,
  recount,
  shownFigures,
  stepsOf,
  written,
} from '#test/support/recount.ts';
import { refused } from '#test/support/refusals.ts';

/** Every figure of an invoice, of its row in a list and of its document against a plain recount. */

/** About half of them round taxes by rate: more than 10,000 in the search of properties. */
const INVOICES = draws(2_600);

const TODAY = '2026-11-20';
const now = new Date(`${TODAY}T12:00:00.000Z`);
const organization = organizationOf();
const ID = '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61';
const client = newClient({ name: 'Globex' }, 'org', ID, now);

function invoiceOf(draw: Drawn): Invoice {
  const { lineItems: drafts, ...terms } = draftOf(draw);
  const lineItems = lineItemsOf(drafts, { ...NO_SOURCES, currency: draw.currency, newId: () => ID });
  const seller = organizationOf({ taxRounding: draw.rounding });
  const draft = newInvoice(
    { ...terms, dueDate: null, notes: null },
    { organization: seller, client },
    lineItems,
    ID,
    now,
  );
  return asSent(draft, 'INV-000001', now);
}

const PLAIN: Drawn = {
  currency: 'USD',
  lines: [{ quantity: 1_000_000n, price: 5_000_000n, tax: null }],
  discount: null,
  rounding: 'line',
  payments: [],
  returned: 0,
};

const TOO_LARGE = 'The total would have 16 digits before the point, of 15 at most.';

const shown = (invoice: Invoice) => presentInvoice(invoice, TODAY);

/** As a list shows what lies in the table. */
async function listed(invoice: Invoice) {
  const [put] = await insertion(invoice, null);
  return presentListed(withParties(listedInvoice(put?.Put?.Item ?? {}), { organization, client }), TODAY);
}

/** What is compared of an invoice, or of its row in a list. */
function figuresIn({ lineItems = [], taxes, ...invoice }: ShownListedInvoice) {
  const { discountTotal, subtotal, taxTotal, total, amountPaid, amountDue, status, paymentCount } = invoice;
  const lines = lineItems.map(({ amount, discount }) => ({ amount, discount }));
  const sums = { discountTotal, subtotal, taxTotal, total };
  return { lineItems: lines, ...sums, taxes, amountPaid, amountDue, status, paymentCount };
}

/** The texts of the document, in the order of reading, right before they are drawn. */
function textsOf(invoice: PrintedInvoice): string {
  const typesetter = new PlainTypesetter();
  const pages = layOutInvoice(printingOf(invoice, typesetter));
  // No-break spaces look like a space.
  return typesetter
    .textsOn(pages)
    .join('\n')
    .replaceAll(/[^\S\n]/g, ' ');
}

function expectOn(text: string, lines: readonly string[]): void {
  const part = `\n${lines.join('\n')}\n`;
  if (!text.includes(part)) expect(text).toContain(part);
}

const paymentRow = (minor: bigint, currency: Drawn['currency']) => [
  '20 November 2026',
  '',
  '',
  printedAmount(minor, currency),
];

describe('the figures of an invoice', () => {
  it(
    `are those of a plain recount, for ${INVOICES} invoices with discounts, taxes of both roundings and payments, their rows and documents`,
    async () => {
      const run = async (draw: Drawn) => {
        const { currency } = draw;
        const counted = recount(draw);
        const { paid, back, left } = stepsOf(draw, counted);
        let invoice = invoiceOf(draw);
        let payments: Payment[] = [];
        let due = counted.total;
        const compare = () => {
          const status: 'paid' | 'sent' = due === 0n && counted.total > 0n ? 'paid' : 'sent';
          const expected = { ...shownFigures(draw, counted, due), status, paymentCount: payments.length };
          const document = shown(invoice);
          expectSame(figuresIn(document), expected);
          return { document, expected, status };
        };
        const compareAll = async () => {
          const { document, expected, status } = compare();
          expectSame(figuresIn(await listed(invoice)), expected);
          const text = textsOf({ ...document, payments });
          const { top, table, sums } = printedFigures(draw, counted, due, status);
          for (const part of [top, table, sums]) expectOn(text, part);
          if (payments.length > 0) {
            expectOn(text, ['AMOUNT', ...left.payments.flatMap((minor) => paymentRow(minor, currency))]);
          }
        };
        for (const [position, minor] of paid.entries()) {
          const draft = { amount: written(minor, currency), date: TODAY, method: null, reference: null };
          const recorded = recordPayment(invoice, 'payment', draft, `${position}`, now);
          invoice = recorded.invoice;
          payments.push(recorded.payment);
          due -= minor;
          compare();
        }
        const returned = payments[back ?? payments.length];
        if (returned) {
          invoice = takePaymentBack(invoice, returned, now);
          payments = payments.filter((payment) => payment !== returned);
          due = left.due;
        }
        await compareAll();
        if (invoice.status === 'paid') return;
        const rest = payRest(invoice, TODAY, 'rest', now);
        expectSame(rest.payment?.amount ?? null, due === 0n ? null : written(due, currency));
        const paymentCount = payments.length + (due === 0n ? 0 : 1);
        expectSame(figuresIn(shown(rest.invoice)), {
          ...shownFigures(draw, counted, 0n),
          status: 'paid',
          paymentCount,
        });
      };
      await fc.assert(fc.asyncProperty(drawnInvoice, run), { numRuns: INVOICES });
    },
    draws(60_000),
  );

  it.each([
    ['USD', '0.00'],
    ['JPY', '0'],
    ['BHD', '0.000'],
  ] as const)('have nothing due of a void invoice in %s, and the total of a draft', (currency, nothing) => {
    const sent = invoiceOf({ ...PLAIN, currency });
    expect(shown(asVoid(sent, now)).amountDue).toBe(nothing);
    expect(shown({ ...sent, status: 'draft' }).amountDue).toBe(sent.total);
  });

  it.each([
    ['JPY', 999_999_999_999n, 1_000n, false],
    ['JPY', 999_999_999_999n, 1_001n, true],
    ['USD', 999_999_999_999n, 1_000n, false],
    ['BHD', 999_999_999_999n, 1_001n, true],
  ] as const)('have a total of 15 digits before the point at most, in %s', (currency, price, quantity, isRefused) => {
    const lines = [{ quantity: quantity * MILLION, price: price * MILLION, tax: null }];
    const make = () => invoiceOf({ ...PLAIN, currency, lines });
    if (!isRefused) expect(make().total).toMatch(/^999999999999000(\.00)?$/);
    else expect(make).toThrow(refused('invoice_total_too_large', '', TOO_LARGE));
    expect(invoiceOf({ ...PLAIN, currency, lines, discount: 100n * MILLION }).total).toMatch(/^0(\.0+)?$/);
  });

  it('tell an invoice that is sent and was due before today as overdue, and no other', () => {
    const sent: Invoice = { ...invoiceOf(PLAIN), dueDate: TODAY };
    expect(presentInvoice(sent, TODAY).isOverdue).toBe(false);
    expect(presentInvoice(sent, '2026-11-21').isOverdue).toBe(true);
    for (const status of ['draft', 'paid', 'void'] as const) {
      expect(presentInvoice({ ...sent, status }, '2026-11-21').isOverdue).toBe(false);
    }
    expect(presentInvoice({ ...sent, dueDate: null }, '2026-11-21').isOverdue).toBe(false);
  });
});
