import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { layOutInvoice } from '#shared/pdf/invoice-layout.ts';
import type { Page } from '#shared/pdf/page.ts';
import { printingOf } from '#shared/pdf/printing.ts';
import { wordsOf } from '#shared/pdf/words/words.ts';
import { draws } from '#test/support/draws.ts';
import { PlainTypesetter } from '#test/support/plain-typesetter.ts';
import { expectInsideMargins, expectTidy } from './expectations.ts';
import { CUSTOMER, drawn, item, PROFILE, printed } from './printed.ts';
import { watermarksIn } from './read-objects.ts';
import { readPdf } from './read-pdf.ts';

const A4 = { width: 595.28, height: 841.89 };
const LETTER = { width: 612, height: 792 };

const payments = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'payment' as const,
    date: '2026-11-10',
    amount: '750.00',
    method: 'Wire transfer',
    reference: `Part ${index + 1} of INV-000042`,
  }));

const BANK_DETAILS = 'First Bank of Portland\nIBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001';

/** With every part that an invoice may have, and a description of two lines to each item. */
const FULL: Partial<PrintedInvoice> = {
  purchaseOrder: 'PO-7781',
  discountPercent: '10',
  discountTotal: '1800.00',
  payments: payments(2),
  amountPaid: '1500.00',
  amountDue: '5619.25',
  paymentUrl: `https://${'pay.'.repeat(40)}example/büro`,
  notes: 'Thank you for your order.\nPlease pay within 40 days.',
  lineItems: ['7', '19', '7', '19'].map((taxRate) =>
    item({
      name: 'Work package',
      description: 'Design and copy of the new landing page, with two rounds of review and a workshop',
      quantity: '37.5',
      price: '120',
      amount: '4500.00',
      taxRate,
    }),
  ),
};

describe('the paper of an invoice', () => {
  it.each([
    ['en', 'US', 'DE', LETTER],
    ['en', 'DE', 'US', LETTER],
    [null, 'CA', null, LETTER],
    ['en', null, 'MX', LETTER],
    ['en', 'PH', 'PH', LETTER],
    ['en', 'GB', 'DE', A4],
    ['en', null, null, A4],
    ['de', 'DE', 'US', A4],
  ] as const)('in %s from %s to %s is as large as there', async (locale, from, to, expected) => {
    const seller = { ...PROFILE, countryCode: from };
    const lineItems = Array.from({ length: 40 }, () => item());
    const invoice = printed({ locale, seller, customer: { ...CUSTOMER, countryCode: to }, lineItems, status: 'draft' });
    const bytes = await drawn(invoice);
    const pdf = await readPdf(bytes);
    expect(pdf.pages.length).toBeGreaterThan(1);
    for (const { width, height } of pdf.pages) {
      expect({ width, height }).toEqual({
        width: expect.closeTo(expected.width),
        height: expect.closeTo(expected.height),
      });
    }
    expect(watermarksIn(bytes)).toEqual(pdf.pages.map(() => true));
    expectInsideMargins(pdf);
  });
});

describe('the pages of an invoice', () => {
  it.each(LOCALES.flatMap((locale) => (['US', 'DE'] as const).map((country) => [locale, country] as const)))(
    'are one for four lines and two payments, in %s from %s',
    async (locale, countryCode) => {
      const seller = { ...PROFILE, countryCode, bankDetails: BANK_DETAILS };
      const customer = { ...CUSTOMER, countryCode };
      const pdf = await readPdf(await drawn(printed({ ...FULL, locale, currency: 'USD', seller, customer })));
      expect(pdf.pages).toHaveLength(1);
      expectTidy(pdf);
    },
  );

  const lines = (word: string, most: number) =>
    fc.integer({ min: 0, max: most }).map((count) => Array.from({ length: count }, () => word).join('\n'));

  it(
    'never have a note, a thank-you or the contact alone',
    () => {
      fc.assert(
        fc.property(
          fc.record({
            items: fc.integer({ min: 1, max: 60 }),
            paymentCount: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 60 })),
            description: lines('A sentence.', 40),
            notes: lines('Thank you.', 20),
            bankDetails: lines('IBAN', 12),
            locale: fc.constantFrom('en', 'de'),
          }),
          ({ items, paymentCount, description, notes, bankDetails, locale }) => {
            const last = item({ name: 'Row', description });
            const { pages, textsOn } = laidOut({
              locale,
              lineItems: [...Array.from({ length: items - 1 }, () => item({ name: 'Row' })), last],
              payments: payments(paymentCount),
              seller: { ...PROFILE, bankDetails },
              notes,
            });
            const texts = pages.map((page) => textsOn([page]));
            for (const [index, onPage] of texts.entries()) {
              const hasRow = onPage.some((text) => ['Row', 'A sentence.'].includes(text));
              expect(hasRow || index === 0 || onPage.includes('Wire transfer')).toBe(true);
              expect(onPage.includes(wordsOf(locale).description.toUpperCase())).toBe(hasRow);
            }
            const withTotal = texts.find((onPage) => onPage.includes(`${wordsOf(locale).total} EUR`));
            expect(withTotal?.some((text) => ['Row', 'A sentence.'].includes(text))).toBe(true);
          },
        ),
        { numRuns: draws(100) },
      );
    },
    draws(20_000),
  );
});

describe('the bank details of an invoice', () => {
  const REFERENCES = ['Hauptstraße 1', 'Hank Scorpio'];

  it.each([1, 3, 12])('are as large and dark as the addresses, beside or below the total: %i lines', (count) => {
    const bankDetails = Array.from({ length: count }, (_, index) => `Bank ${index}`).join('\n');
    const { pages, styleOf, textsOn } = laidOut({ ...FULL, seller: { ...PROFILE, bankDetails } });
    const style = styleOf('Bank 0');
    for (const text of REFERENCES) expect(style).toEqual(styleOf(text));
    expect(style?.sizePoints).toBeGreaterThanOrEqual(9);
    const page = pages.find((each) => textsOn([each]).includes('Bank 0'));
    expect(textsOn(page ? [page] : [])).toContain('Amount due EUR');
  });
});

function laidOut(changes: Partial<PrintedInvoice>) {
  const invoice = printed({ seller: PROFILE, ...changes });
  const typesetter = new PlainTypesetter();
  const pages = layOutInvoice(printingOf(invoice, typesetter));
  const textsOn = (some: readonly Page[]) => typesetter.textsOn(some);
  const styleOf = (text: string) =>
    pages
      .flat()
      .flatMap((mark) => (mark.kind === 'text' && textsOn([[mark]])[0] === text ? [mark.line.style] : []))
      .at(0);
  return { pages, textsOn, styleOf };
}
