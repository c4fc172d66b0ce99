import { describe, expect, it } from 'vitest';
import { taxesOf } from '#shared/domain/invoices/figures.ts';
import type { LineHours } from '#shared/domain/invoices/printed-hours.ts';
import { LOCALES, type Locale } from '#shared/domain/locale.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import { createFigures } from '#shared/pdf/figures.ts';
import { LANGUAGES, wordsOf } from '#shared/pdf/words/words.ts';
import { readXml, textsAt } from '#test/e-invoice/read-xml.ts';
import { expectTidy } from './expectations.ts';
import { drawn, item, PROFILE, printed } from './printed.ts';
import { allText, readPdf, squeeze } from './read-pdf.ts';

/** Entries whose rounded amounts are another sum than hours times price. */
const MANY = Array.from({ length: 1_234 }, (_, index) => `e${index}`);

/** An invoice that shows every word but those of other states. */
const EVERYTHING = printed({
  seller: { ...PROFILE, bankDetails: null, vatNumber: 'DE987654321', iban: 'DE02120300000000202051' },
  serviceFrom: '2026-11-02',
  serviceTo: '2026-11-20',
  purchaseOrder: 'PO-1',
  paymentUrl: 'https://pay.example/1',
  discountPercent: '10',
  discountTotal: '617.50',
  amountPaid: '100.00',
  amountDue: '7019.25',
  payments: [{ kind: 'refund', date: '2026-11-10', amount: '100.00', method: 'Wire', reference: 'R-1' }],
  creditedTotal: '50.00',
  amountToRefund: '50.00',
  lineItems: [
    item({ name: 'Tracked time', description: '2026-11-02 to 2026-11-20', quantity: '1.516667', entryIds: MANY }),
    item({ name: '2026-11-02', description: '2026-11-02: Review', entryIds: ['e'], taxRate: '19' }),
    item({ name: 'Handbook', taxRate: '0', taxCategory: 'reverse_charge', quantity: '1234.5', unit: 'piece' }),
  ],
});

const HOURS = EVERYTHING.lineItems.slice(0, 1).map((line) => ({
  line,
  rows: [{ date: '2026-11-02', description: 'Review', person: 'Ana', minutes: 60, amount: '100.00' }],
  changed: { minutes: 31, amount: '0.00' },
}));

async function textIn(locale: Locale, changes = {}, hours: readonly LineHours[] = []): Promise<string> {
  return allText(await readPdf(await drawn({ ...EVERYTHING, ...changes, locale }, { hours })));
}

describe('the words of an invoice', () => {
  it.each(LOCALES)('are complete in %s', (locale) => {
    expect(Object.keys(wordsOf(locale))).toEqual(Object.keys(wordsOf('en')));
    for (const [name, word] of Object.entries(wordsOf(locale))) expect(word, name).toMatch(/^\S(.*\S)?$/);
    expect(wordsOf(locale).pageOf).toMatch(/\{page\}.*\{pages\}/);
  });

  it.each(LOCALES.filter((locale) => locale !== 'en'))('are its own in %s', (locale) => {
    const english = Object.values(wordsOf('en'));
    const same = Object.values(wordsOf(locale)).filter((word, index) => word === english[index]);
    // A few words are the same in two languages, such as the subtotal of an invoice in Spanish.
    expect(same.length, same.join(', ')).toBeLessThanOrEqual(5);
  });

  it.each(LOCALES)('stand in the document in %s', async (locale) => {
    const corrects = { number: 'INV-000042', issueDate: '2026-11-03', reason: 'Cancelled' };
    const texts = [
      await textIn(locale, {}, HOURS),
      await textIn(locale, { corrects, status: 'credited', payments: [] }),
      await textIn(locale, { status: 'draft', number: null, amountPaid: '0.00', payments: [] }),
    ];
    const [text = ''] = texts;
    const { paid, overdue, void: isVoid, pageOf, ...shown } = wordsOf(locale);
    const count = createFigures(locale, 'EUR').number('1234');
    for (const word of Object.values(shown).map((each) => each.replace('{count}', count))) {
      const [plain, capitals] = [squeeze(word), squeeze(word.toLocaleUpperCase(locale))];
      expect(
        texts.some((each) => each.includes(plain) || each.includes(capitals)),
        word,
      ).toBe(true);
    }
    expect(text).toContain(squeeze(pageOf.replace('{page}', '2').replace('{pages}', '2')));
  });

  it.each(LOCALES)('leave room for the longest figures in %s', async (locale) => {
    const most = '999999999999.999999';
    const amount = '999999999999999999999998.00';
    const pdf = await readPdf(
      await drawn({
        ...EVERYTHING,
        locale,
        lineItems: [item({ quantity: most, price: most, taxRate: '99.999999', amount })],
        taxes: [{ taxCategory: 'standard', taxRate: '99.999999', base: amount, amount, exemptionReason: null }],
        discountPercent: '99.999999',
        discountTotal: amount,
        total: amount,
        amountPaid: amount,
        amountDue: amount,
        payments: [{ kind: 'payment', date: '2026-12-31', amount, method: 'm'.repeat(50), reference: 'r'.repeat(200) }],
      }),
    );
    expectTidy(pdf);
  });
});

describe('taxes of one rate', () => {
  const UNTAXED = ['zero', 'exempt', 'reverse_charge', 'intra_community', 'export', 'outside_scope'] as const;
  const shared = UNTAXED.map((taxCategory) => item({ taxRate: '0', taxCategory }));

  it.each(LOCALES)('are told apart by their categories in %s', async (locale) => {
    const text = await textIn(locale, { lineItems: shared, taxes: taxesOf(shared, { ...EVERYTHING, locale }) });
    const words = UNTAXED.map((category) => LANGUAGES[locale].taxCategories[category]);
    for (const word of words) expect(text).toContain(squeeze(`(${word})`));
    expect(new Set(words).size).toBe(UNTAXED.length);
    const same = words.filter((word, index) => word === LANGUAGES.en.taxCategories[UNTAXED[index] ?? 'zero']);
    if (locale !== 'en') expect(same.length, same.join(', ')).toBeLessThanOrEqual(1);
  });
});

describe('lines of tracked time', () => {
  it.each(LOCALES)('are worded on the page as in the e-invoice in %s', async (locale) => {
    const page = await textIn(locale);
    const file = readXml(writeEInvoice({ ...EVERYTHING, locale }, 'en16931-cii'));
    const texts = ['Name', 'Description'].flatMap((member) => textsAt(file, `SpecifiedTradeProduct/${member}`));
    expect(texts.join()).not.toMatch(locale === 'en' ? /2026-11/ : /Tracked time|2026-11/);
    for (const text of texts) expect(page).toContain(squeeze(text));
  });

  it('are told from what a caller wrote, which stays as it is', async () => {
    const own = item({ name: 'Tracked time', description: '2026-11-02', quantity: '1.516667' });
    const text = await textIn('de', { lineItems: [own] });
    for (const part of ['Tracked time', '2026-11-02', '1,516667']) expect(text).toContain(squeeze(part));
  });
});
