import { describe, expect, it } from 'vitest';
import { LOCALES } from '#shared/domain/locale.ts';
import { wordsOf } from '#shared/pdf/words/words.ts';
import { drawn, PROFILE, printed } from './printed.ts';
import { allText, readPdf, squeeze } from './read-pdf.ts';

const CREDIT_NOTE = printed({
  number: 'CN-000007',
  status: 'credited',
  issueDate: '2026-12-12',
  dueDate: null,
  notes: null,
  seller: { ...PROFILE, iban: 'DE02120300000000202051' },
  corrects: { number: 'INV-000042', issueDate: '2026-11-03', reason: 'The workshop was cancelled.' },
});

describe('a credit note', () => {
  it('names the invoice that it corrects with its date, the reason, and what is credited', async () => {
    const { pages, info } = await readPdf(await drawn(CREDIT_NOTE));
    const text = pages.map(({ squeezed }) => squeezed).join('');
    expect(text).toContain(squeeze('Credit note CN-000007 Acme Consulting'));
    expect(text).toContain(squeeze('DATE 12 December 2026 CORRECTS Invoice INV-000042 3 November 2026'));
    expect(text).toContain(squeeze('REASON The workshop was cancelled.'));
    expect(text).toContain(squeeze('Total EUR €7,119.25'));
    expect(info.Title).toBe('Credit note CN-000007');
  });

  it('asks for no payment, and has no mark of a state', async () => {
    const text = allText(await readPdf(await drawn(CREDIT_NOTE)));
    for (const word of ['IBAN', 'Amount due', 'DUE', 'CREDITED', 'SCAN TO PAY', 'BILLED TO', 'BANK DETAILS']) {
      expect(text).not.toContain(squeeze(word));
    }
  });

  it.each(LOCALES)('has a title of its own in %s, and no German says "Gutschrift"', (locale) => {
    const words = wordsOf(locale);
    expect(words.creditNote).not.toBe(words.invoice);
    expect(Object.values(words).join(' ')).not.toMatch(/gutschrift/i);
  });

  it('is as accessible as an invoice: one page, its title fits beside the seller', async () => {
    const { pages } = await readPdf(await drawn({ ...CREDIT_NOTE, locale: 'de' }));
    expect(pages).toHaveLength(1);
    const title = pages[0]?.texts.find(({ text }) => text.startsWith('Rechnungskorrektur'));
    const seller = pages[0]?.texts.find(({ text }) => text.startsWith('Acme'));
    expect(title?.right).toBeLessThan(seller?.left ?? 0);
  });
});
