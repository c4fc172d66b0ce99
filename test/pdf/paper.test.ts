import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { accentOf } from '#shared/pdf/accent.ts';
import { layOutInvoice } from '#shared/pdf/invoice-layout.ts';
import { printingOf } from '#shared/pdf/printing.ts';
import { jpeg } from '#test/support/pictures.ts';
import { PlainTypesetter } from '#test/support/plain-typesetter.ts';
import { expectInsideMargins, expectNoOverlap, expectTidy } from './expectations.ts';
import { CUSTOMER, drawn, item, PROFILE, printed } from './printed.ts';
import { allText, readPdf, squeeze } from './read-pdf.ts';
import { readStructure, wholeText } from './read-structure.ts';

/** What sellers choose about the paper, and what the habits of their country are. */

const LONG = Array.from({ length: 90 }, (_, index) => item({ name: `Ticket ${index + 1}.` }));

const from = (seller: Partial<typeof PROFILE>, changes: Partial<PrintedInvoice> = {}) =>
  printed({ seller: { ...PROFILE, ...seller }, ...changes });

/** WCAG 2.2, written once more. */
function contrastOnWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('the accent of an invoice', () => {
  const colours = fc
    .tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })))
    .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`);

  it('is the colour of its rules, and of text as far as that can be read', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        const { rule, strongRule, title, text } = accentOf(colour.toUpperCase());
        expect([rule, strongRule, title]).toEqual([colour, colour, text]);
        expect(contrastOnWhite(text)).toBeGreaterThanOrEqual(4.5);
        if (contrastOnWhite(colour) >= 4.5) expect(text).toBe(colour);
      }),
      { examples: [['#ffffff'], ['#ffff00'], ['#000000'], ['#767676'], ['#777777']] },
    );
  });

  it.each([
    ['#ffcc00', ['#ffcc00', '#8f7200']],
    [null, ['#1d4e89', '#18212f']],
  ])('%s is that of the rule and the title', (accentColor, expected) => {
    const typesetter = new PlainTypesetter();
    const marks = layOutInvoice(printingOf(from({ accentColor }), typesetter)).flat();
    const rule = marks.find((mark) => mark.kind === 'rule');
    const title = marks.find((mark) => mark.kind === 'text');
    expect([rule?.kind === 'rule' && rule.colour, title?.kind === 'text' && title.line.style.colour]).toEqual(expected);
  });
});

describe('the footer of an invoice', () => {
  const footer = 'Managing director: Ada Byron\nAmtsgericht Berlin\nMember of the Guild';

  it('stands at the foot of each page, and is read once', async () => {
    const bytes = await drawn(from({ footer }, { lineItems: LONG }));
    const pdf = await readPdf(bytes);
    expect(pdf.pages.length).toBeGreaterThan(1);
    for (const page of pdf.pages) {
      expect(page.squeezed).toContain(squeeze(footer));
      expectNoOverlap(page);
      const lowest = Math.min(...page.texts.filter(({ text }) => /Ticket|Total/.test(text)).map((one) => one.baseline));
      expect(page.texts.find(({ text }) => text.startsWith('Managing'))?.baseline).toBeLessThan(lowest);
    }
    expectInsideMargins(pdf);
    expect(wholeText((await readStructure(bytes)).root).split(squeeze(footer))).toHaveLength(2);
  });

  it('is nothing where it is empty', async () => {
    expect(await drawn(from({ footer: '' }))).toEqual(await drawn(from({})));
  });

  it('may be three hundred wide letters', async () => {
    const pdf = await readPdf(await drawn(from({ footer: 'W'.repeat(300) }, { lineItems: LONG })));
    for (const page of pdf.pages) expect(page.squeezed).toContain('W'.repeat(300));
    expectInsideMargins(pdf);
  });
});

describe('the English of an invoice', () => {
  const customer = { ...CUSTOMER, vatNumber: 'DE123456789' };
  const time = { entryIds: ['e'], name: 'Tracked time', description: '2026-11-02 to 2026-11-20' };

  it.each([
    ['US', 'en', ['November 3, 2026', 'November 2, 2026 – November 20, 2026', 'Tax ID US 12-3456789']],
    ['CA', null, ['November 3, 2026', 'November 2, 2026 – November 20, 2026', 'Tax ID DE 123 456 789']],
    ['GB', 'en', ['3 November 2026', '2 November 2026 – 20 November 2026', 'Tax number US 12-3456789']],
    [null, 'en', ['3 November 2026', '2 November 2026 – 20 November 2026', 'Tax number DE 123 456 789']],
    ['CA', 'fr', ['3 novembre 2026', '2 novembre 2026 – 20 novembre 2026', 'Numéro fiscal US 12-3456789']],
  ] as const)('of a seller in %s is theirs: %s', async (countryCode, locale, parts) => {
    const lineItems = [item(time)];
    const text = allText(await readPdf(await drawn(from({ countryCode }, { locale, customer, lineItems }))));
    for (const part of parts) expect(text).toContain(squeeze(part));
  });
});

describe('the address of the customer', () => {
  const MILLIMETRE = 72 / 25.4;

  /** The lines of which anything shows through the window of form B of DIN 5008. */
  async function inWindow(invoice: PrintedInvoice, logo?: Uint8Array): Promise<readonly string[]> {
    const [page] = (await readPdf(await drawn(invoice, { logo }))).pages;
    if (!page) throw new Error('There is no page.');
    const top = (length: number) => page.height - length * MILLIMETRE;
    return page.texts
      .filter(({ baseline, size }) => baseline < top(45) && baseline + 0.7 * size > top(90))
      .filter(({ left, right }) => left < 105 * MILLIMETRE && right > 20 * MILLIMETRE)
      .map(({ text }) => text);
  }

  const german = { ...CUSTOMER, countryCode: 'DE', region: null, city: 'Köln', postalCode: '50667' };
  const ADDRESS = ['Globex Corporation', 'Hank Scorpio', '1 Industrial Way', 'Building C', '50667 Köln'];
  const SENDER = 'Acme Consulting · Hauptstraße 1 · Hinterhaus · 10115 Berlin';

  it.each(
    ['DE', 'AT', 'CH'].flatMap((country) => (['de', 'en', 'ja'] as const).map((locale) => [country, locale] as const)),
  )(
    'of a seller in %s shows through the window of an envelope, with the sender above it: %s',
    async (countryCode, locale) => {
      const seller = { countryCode, postalCode: '10115', city: 'Berlin' };
      const shown = await inWindow(from(seller, { locale, customer: german }));
      expect(shown).toEqual([SENDER, ...ADDRESS, expect.stringMatching(/^(?:Deutschland|Germany|ドイツ)$/)]);
    },
  );

  it('is there on Letter, on a credit note, beside a logo, and in a draft of many lines', async () => {
    const corrects = { number: 'INV-000042', issueDate: '2026-11-03', reason: 'Cancelled' };
    for (const changes of [
      {},
      { corrects, status: 'credited' as const },
      { status: 'draft' as const, lineItems: LONG },
    ]) {
      const shown = await inWindow(from({}, { customer: CUSTOMER, ...changes }), jpeg({ columns: 3, rows: 2 }));
      expect(shown).toEqual([SENDER, ...ADDRESS.slice(0, 4), 'Cypress Creek, Oregon 97001', 'United States']);
    }
  });

  const texts = (part: string) => {
    const fill = (length: number) => part.repeat(length).slice(0, length).trim();
    const [longest, place] = [fill(255), fill(100)];
    return {
      name: longest,
      contact: longest,
      addressLine1: longest,
      addressLine2: longest,
      city: place,
      region: place,
      postalCode: fill(20),
    };
  };

  it.each([
    ['long', { name: 'Gesellschaft für Wasserwirtschaft und Abwasserbeseitigung '.repeat(2).trim() }],
    ['the longest', texts('Gesellschaft für Wasserwirtschaft und Abwasser, Referat IV ')],
  ])('is smaller where it is %s, and is alone there, with nothing of it outside', async (_, long) => {
    const invoice = from({}, { customer: { ...german, ...long }, locale: 'de' });
    const shown = (await inWindow(invoice)).slice(1).join(' ');
    const { name, contact, addressLine1, addressLine2, postalCode, city, region } = invoice.customer;
    const lines = [name, contact, addressLine1, addressLine2, `${postalCode} ${city}`, region, 'Deutschland'];
    expect(squeeze(shown)).toBe(squeeze(lines.join('')));
    expectInsideMargins(await readPdf(await drawn(invoice)));
  });

  it('goes on below the window where nobody could read it in a smaller size', async () => {
    const pdf = await readPdf(await drawn(from({}, { customer: { ...german, ...texts('W') }, locale: 'de' })));
    const shown = pdf.pages.flatMap((page) => page.texts.filter(({ text }) => /^[W ]+$/.test(text)));
    expect(squeeze(shown.map(({ text }) => text).join(''))).toHaveLength(4 * 255 + 2 * 100 + 20);
    expect(Math.min(...shown.map(({ size }) => size))).toBeGreaterThan(4);
    for (const page of pdf.pages) expectNoOverlap(page);
  });

  it('is not moved there where the seller is elsewhere', async () => {
    for (const countryCode of ['US', 'FR', 'JP', null]) {
      expect(await inWindow(from({ countryCode }, { customer: german }))).not.toContain(SENDER);
    }
  });
});

describe('a long number of an invoice', () => {
  const numbers = ['ACME-2026-11-BERLIN-PROJECT-42-000001', 'W'.repeat(36)];
  const statuses = [{}, { status: 'paid' }, { isOverdue: true }, { amountPaid: '100.00' }] as const;
  const name = 'Gesellschaft für Wasserwirtschaft und Abwasserbeseitigung '.repeat(3);

  it.each(['DE', 'US', 'JP'])('is in one line, and runs into nothing, from %s', async (countryCode) => {
    const locale = ({ DE: 'de', US: 'en', JP: 'ja' } as const)[countryCode];
    for (const number of numbers) {
      for (const status of statuses) {
        const pdf = await readPdf(await drawn(from({ countryCode, name }, { number, locale, ...status })));
        expect(pdf.pages.flatMap((page) => page.texts.map(({ text }) => text))).toContain(number);
        expectTidy(pdf);
      }
    }
  });
});
