import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { expectInsideMargins, expectNoOverlap, rightEdge } from './expectations.ts';
import { CUSTOMER, drawn, item, NAME, PROFILE, printed } from './printed.ts';
import { allText, type Pdf, readPdf, squeeze } from './read-pdf.ts';

async function read(changes: Partial<PrintedInvoice> = {}): Promise<Pdf> {
  return readPdf(await drawn(printed({ seller: PROFILE, ...changes })));
}

async function textOf(changes: Partial<PrintedInvoice> = {}): Promise<string> {
  return allText(await read(changes));
}

const payment = (number: number) => ({
  kind: 'payment' as const,
  date: '2026-11-10',
  amount: '10.00',
  method: 'Wire',
  reference: `Payment ${number}.`,
});

describe('the seller of an invoice', () => {
  it('has an address and a tax number at the head, and the rest at the foot', async () => {
    const text = await textOf();
    const [head = '', foot = ''] = text.split('BILLEDTO');
    for (const part of [NAME, 'Acme Consulting GmbH', 'Hauptstraße 1', 'Hinterhaus', '10115 Berlin', 'Germany']) {
      expect(head).toContain(squeeze(part));
    }
    expect(head).toContain(squeeze('Tax number DE 123 456 789'));
    for (const part of ['BANK DETAILS IBAN DE02 1203 0000 0000 2020 51 BIC BYLADEM1001', 'billing@acme.example']) {
      expect(foot).toContain(squeeze(part));
    }
    expect(foot).toContain(squeeze('Registration number HRB 4711'));
  });

  it('is a name alone where there is no profile', async () => {
    const { pages } = await readPdf(await drawn(printed()));
    const texts = pages.flatMap((page) => page.texts.map(({ text }) => text));
    expect(texts.filter((text) => text.includes(NAME))).toHaveLength(2);
    expect(texts.join(' ')).not.toMatch(/null|undefined|BANK DETAILS|Registration/);
  });

  it('says its legal name only where that is another', async () => {
    const text = await textOf({ seller: { ...PROFILE, name: 'Acme Consulting GmbH' } });
    expect(text.split('BILLEDTO')[0]?.split('AcmeConsultingGmbH')).toHaveLength(2);
  });

  it('may have more to say at the foot than a page holds', async () => {
    const bankDetails = Array.from({ length: 200 }, (_, index) => `${index}.`).join('\n');
    const pdf = await read({ seller: { ...PROFILE, bankDetails } });
    expect(allText(pdf)).toContain('199.');
    expectInsideMargins(pdf);
    for (const page of pdf.pages) expectNoOverlap(page);
  });
});

describe('the terms of an invoice', () => {
  it('have a purchase order, which may be long', async () => {
    const pdf = await read({ purchaseOrder: 'PO-'.repeat(33) });
    expect(allText(pdf)).toContain(squeeze(`PURCHASE ORDER ${'PO-'.repeat(33)}`));
    expectInsideMargins(pdf);
    for (const page of pdf.pages) expectNoOverlap(page);
  });

  it('show what the lines come to, what is taken from it, and what is left', async () => {
    const standard = { taxCategory: 'standard', exemptionReason: null } as const;
    const text = await textOf({
      discountPercent: '10.50',
      discountTotal: '648.38',
      subtotal: '5526.62',
      taxes: [
        { ...standard, taxRate: '7', base: '1141.12', amount: '79.88' },
        { ...standard, taxRate: '19', base: '4027.50', amount: '765.23' },
      ],
      total: '6371.73',
    });
    expect(text).toContain(
      squeeze(
        `Sum of lines €6,175.00 Discount 10.5% -€648.38 Subtotal €5,526.62
        Tax 7% on €1,141.12 €79.88 Tax 19% on €4,027.50 €765.23 Total EUR €6,371.73`,
      ),
    );
  });

  it('show no discount where there is none', async () => {
    expect(await textOf()).not.toMatch(/discount|sumoflines/i);
  });
});

describe('the payments of an invoice', () => {
  const payments = [payment(1), payment(2)];

  it('are listed, and what is still due stands below the total and at the top', async () => {
    const text = await textOf({ payments, amountPaid: '20.00', amountDue: '7099.25' });
    expect(text).toContain(squeeze('PAYMENTS METHOD REFERENCE AMOUNT 10 November 2026 Wire Payment 1. €10.00'));
    expect(text).toContain(squeeze('Total EUR €7,119.25 Amount paid -€20.00 Amount due EUR €7,099.25'));
    expect(text).toContain(squeeze('AMOUNT DUE €7,099.25'));
    expect(text).toContain(squeeze('INV-000042 PART PAID'));
  });

  it('leave nothing due of a paid invoice', async () => {
    const text = await textOf({ status: 'paid', payments, amountPaid: '7119.25', amountDue: '0.00' });
    expect(text).toContain(squeeze('INV-000042 PAID'));
    expect(text).toContain(squeeze('AMOUNT PAID €7,119.25'));
    expect(text).not.toContain(squeeze('Amount due'));
  });

  it('are overdue rather than paid in part', async () => {
    const text = await textOf({ isOverdue: true, payments, amountPaid: '20.00', amountDue: '7099.25' });
    expect(text).toContain(squeeze('INV-000042 OVERDUE'));
    expect(text).not.toContain('PARTPAID');
  });

  it('may be a hundred, with long references', async () => {
    const pdf = await read({
      payments: Array.from({ length: 100 }, (_, index) => ({
        ...payment(index),
        reference: `${index}. ${'W'.repeat(190)}`,
        method: 'M'.repeat(50),
      })),
      amountPaid: '1000.00',
      amountDue: '6119.25',
    });
    expect(allText(pdf)).toContain('99.WW');
    expectInsideMargins(pdf);
    for (const page of pdf.pages) expectNoOverlap(page);
  });
});

describe('the end of an invoice', () => {
  it('keeps the total on a page with lines, whatever the last line holds', async () => {
    for (let sentences = 90; sentences < 130; sentences += 3) {
      const description = 'A sentence of some words. '.repeat(sentences);
      const { pages } = await read({ lineItems: [item(), item({ name: 'Long', description })], notes: null });
      const page = pages.find(({ squeezed }) => squeezed.includes('TotalEUR'));
      expect(page?.squeezed.split('sentence').length, `${sentences}`).toBeGreaterThanOrEqual(4);
    }
  }, 60_000);
});

describe('a hostile text', () => {
  it.each([
    ['markup', '<b>&amp;</b> %PDF-1.7 endobj (unclosed \\', '<b>&amp;</b> %PDF-1.7 endobj (unclosed \\'],
    ['controls', 'a\u0000b\u001b[31mc\u0008\u007fd\u0085e', 'ab[31mcd e'],
    ['overrides', '\u202egnp.exe\u202c \u2067abc', 'gnp.exe abc'],
    ['unpaired surrogates', 'x\ud800y\udc00z', 'x\ufffdy\ufffdz'],
  ])('prints as what it shows: %s', async (_, text, expected) => {
    const pdf = await read({
      customer: { ...CUSTOMER, name: text, city: text },
      seller: { ...PROFILE, name: text, legalName: text, addressLine1: text, bankDetails: text },
      lineItems: [item({ name: text, description: text, unit: text.slice(0, 10) })],
      purchaseOrder: text,
      notes: text,
    });
    expect(allText(pdf).split(squeeze(expected)).length).toBeGreaterThanOrEqual(8);
    expect(pdf.info.Author).toBe(expected);
    expectInsideMargins(pdf);
  });

  it('of 20,000 characters goes on over as many pages as it needs', async () => {
    const text = 'x'.repeat(20_000);
    const customer = { ...CUSTOMER, name: text };
    const pdf = await read({ customer, seller: { ...PROFILE, name: text }, notes: text, purchaseOrder: text });
    expect(allText(pdf).match(/x/g)?.length).toBeGreaterThanOrEqual(4 * text.length);
    expectInsideMargins(pdf);
  }, 60_000);

  it('does not run into the figures beside it', async () => {
    const word = 'W'.repeat(255);
    const { pages } = await read({ lineItems: [item({ name: word, description: word, unit: 'W'.repeat(50) })] });
    for (const page of pages) {
      expectNoOverlap(page);
      for (const { text, right } of page.texts) {
        if (/^W+$/.test(text)) expect(right).toBeLessThan(rightEdge(page) - 50);
      }
    }
  });
});
