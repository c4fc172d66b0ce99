import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { expectInsideMargins, expectTidy } from './expectations.ts';
import { CUSTOMER, drawn, item, NAME, PROFILE, printed } from './printed.ts';
import { allText, type Pdf, readPdf, squeeze } from './read-pdf.ts';

async function read(changes: Partial<PrintedInvoice> = {}): Promise<Pdf> {
  return readPdf(await drawn(printed({ seller: PROFILE, ...changes })));
}

async function textOf(changes: Partial<PrintedInvoice> = {}): Promise<string> {
  return allText(await read(changes));
}

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
});

describe('a text that is too long for its place', () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${index}.`).join('\n');
  const letters = 'x'.repeat(20_000);
  const wide = 'W'.repeat(255);
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(5);
  const payments = Array.from({ length: 100 }, (_, index) => ({
    kind: 'payment' as const,
    date: '2026-11-10',
    amount: '10.00',
    method: 'M'.repeat(50),
    reference: `${index}. ${'W'.repeat(190)}`,
  }));
  const named = (name: string) => ({
    customer: { ...CUSTOMER, name, email: `${name}@example.com` },
    lineItems: [item({ name, description: name, unit: name.slice(0, 50) })],
    seller: { ...PROFILE, name, legalName: name, bankDetails: name },
    purchaseOrder: name,
    notes: name,
  });

  it.each<[string, string, number, Partial<PrintedInvoice>]>([
    ['many lines', '299.', 5, { ...named(lines), seller: { ...PROFILE, bankDetails: lines } }],
    ['a word', word, 4, named(word)],
    ['a word of wide letters', wide, 4, named(wide)],
    ['a word of many pages', letters.slice(0, 100), 380, { notes: letters, customer: { ...CUSTOMER, name: letters } }],
    ['a hundred payments', '99.WW', 1, { payments, amountPaid: '1000.00', amountDue: '6119.25' }],
  ])('goes on, inside the margins and over nothing else: %s', { timeout: 60_000 }, async (_, part, times, changes) => {
    const pdf = await read(changes);
    expect(allText(pdf).split(part).length - 1).toBeGreaterThanOrEqual(times);
    expectTidy(pdf);
  });
});

describe('a hostile text', () => {
  it.each([
    ['markup', '<b>&amp;</b> %PDF-1.7 endobj (unclosed \\', '<b>&amp;</b> %PDF-1.7 endobj (unclosed \\'],
    ['controls', 'a\u0000b\u001b[31mc\u0008\u007fd\u0085e', 'ab[31mcd e'],
    ['overrides', '\u202egnp.exe\u202c \u2067abc\u2069\u200b.\ufeff', 'gnp.exe abc.'],
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
});
