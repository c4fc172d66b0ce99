import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { drawn, item, PROFILE, printed } from './printed.ts';
import { readCode } from './read-code.ts';
import { allText, readPdf, squeeze } from './read-pdf.ts';

const ACCOUNT = {
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  accountName: 'Büro Łódź & Söhne 株式会社',
};

const SELLER = { ...PROFILE, ...ACCOUNT, bankDetails: null };

const DETAILS = ['IBAN DE02 1203 0000 0000 2020 51', 'BIC BYLADEM1001', ACCOUNT.accountName, 'Reference INV-000042'];

const textOf = async (changes: Partial<PrintedInvoice>) =>
  allText(await readPdf(await drawn(printed({ seller: SELLER, ...changes }))));

const codeOf = async (changes: Partial<PrintedInvoice> = {}) =>
  readCode(await drawn(printed({ seller: SELLER, ...changes })));

const PAID_IN_PART = {
  payments: [{ kind: 'payment' as const, date: '2026-11-10', amount: '20.00', method: null, reference: null }],
  amountPaid: '20.00',
  amountDue: '7099.25',
};

describe('the account to pay to', () => {
  it('is printed with its number in groups of four, and the invoice number as reference', async () => {
    const text = await textOf({});
    for (const detail of DETAILS) expect(text).toContain(squeeze(detail));
  });

  it('is that of the registered seller unless it has another name', async () => {
    const text = await textOf({ seller: { ...SELLER, accountName: null, legalName: 'Acme Holding SE' } });
    expect(text).toContain(squeeze('BANK DETAILS Acme Holding SE IBAN'));
  });

  it.each<[string, Partial<PrintedInvoice>]>([
    ['a draft', { status: 'draft', number: null }],
    ['a paid invoice', { status: 'paid' }],
    ['a void invoice', { status: 'void' }],
    ['an invoice with nothing due', { amountDue: '0.00' }],
  ])('is not on %s, and no code', async (_, changes) => {
    const text = await textOf(changes);
    for (const detail of DETAILS) expect(text).not.toContain(squeeze(detail));
    expect(text).not.toContain(squeeze('SCAN TO PAY'));
    expect(await codeOf(changes)).toBeNull();
  });

  it('stands in letters as large as those of the lines', async () => {
    const { pages } = await readPdf(await drawn(printed({ seller: SELLER })));
    const sizeOf = (start: string) => pages[0]?.texts.find(({ text }) => text.startsWith(start))?.size;
    expect(sizeOf('IBAN')).toBe(sizeOf('Website'));
    expect(sizeOf('BIC')).toBe(sizeOf('Website'));
  });
});

describe("the seller's own words about the account", () => {
  const WORDS = 'Please pay by transfer.';
  const words = (changes: Partial<PrintedInvoice> = {}) =>
    textOf({ seller: { ...PROFILE, bankDetails: WORDS }, ...changes });

  it('are on a draft, and on an invoice with something due', async () => {
    expect(await words({ status: 'draft', number: null })).toContain(squeeze(`BANK DETAILS ${WORDS}`));
    expect(await words()).toContain(squeeze(`BANK DETAILS ${WORDS}`));
  });

  it.each<[string, Partial<PrintedInvoice>]>([
    ['a paid invoice', { status: 'paid' }],
    ['a void invoice', { status: 'void' }],
    ['a credited invoice', { status: 'credited', amountDue: '0.00' }],
  ])('are not on %s', async (_, changes) => {
    const text = await words(changes);
    expect(text).not.toContain(squeeze('BANK DETAILS'));
    expect(text).not.toContain(squeeze(WORDS));
  });

  it('stand below the account under the same heading, without the lines that repeat it', async () => {
    const bankDetails = `IBAN: de02 1203 0000 0000 2020 51\nBIC BYLADEM1001\n${WORDS}`;
    const text = await textOf({ seller: { ...SELLER, bankDetails } });
    expect(text.split(squeeze('BANK DETAILS'))).toHaveLength(2);
    expect(text).toContain(
      squeeze(`BANK DETAILS ${ACCOUNT.accountName} ${DETAILS[0]} ${DETAILS[1]} ${DETAILS[3]} ${WORDS}`),
    );
  });
});

describe('the code to scan', () => {
  it('transfers what is due to the account, with the number of the invoice', async () => {
    const lines = ['BCD', '002', '1', 'SCT', ACCOUNT.bic, ACCOUNT.accountName, ACCOUNT.iban];
    expect(await codeOf()).toBe([...lines, 'EUR7119.25', '', '', 'INV-000042'].join('\n'));
    expect(await codeOf(PAID_IN_PART)).toBe([...lines, 'EUR7099.25', '', '', 'INV-000042'].join('\n'));
  });

  it('needs no BIC, and shortens a long name', async () => {
    const code = await codeOf({ seller: { ...SELLER, bic: null, accountName: `${'Ä'.repeat(80)}` } });
    expect(code?.split('\n').slice(4, 6)).toEqual(['', 'Ä'.repeat(70)]);
  });

  it.each<[string, Partial<PrintedInvoice>]>([
    ['in another currency', { currency: 'CHF' }],
    ['without an IBAN', { seller: { ...SELLER, iban: null } }],
    ['beyond what a transfer can have', { amountDue: '1000000000.00', lineItems: [item()] }],
  ])('is left out %s', async (_, changes) => {
    expect(await codeOf(changes)).toBeNull();
    expect(await textOf(changes)).not.toContain(squeeze('SCAN TO PAY'));
  });
});
