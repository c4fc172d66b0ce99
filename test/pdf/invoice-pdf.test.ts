import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { draws } from '#test/support/draws.ts';
import { expectInsideMargins, expectNoOverlap, rightEdge } from './expectations.ts';
import { CUSTOMER, drawn, item, NAME, PROFILE, printed } from './printed.ts';
import { allText, type Pdf, type PdfPage, readPdf, squeeze } from './read-pdf.ts';
import { objectsOf } from './read-structure.ts';

async function read(changes: Partial<PrintedInvoice> = {}): Promise<Pdf> {
  return readPdf(await drawn(printed(changes)));
}

function textOf(page: PdfPage | undefined, text: string) {
  const found = page?.texts.find((one) => one.text === text);
  if (!found) throw new Error(`${text} is not on the page: ${page?.texts.map((one) => one.text).join(' | ')}`);
  return found;
}

describe('an invoice as PDF', () => {
  it('says who asks whom for how much, for what, and until when', async () => {
    const text = allText(await read());
    for (const part of [
      NAME,
      'INV-000042',
      ...['Globex Corporation', 'Hank Scorpio', '1 Industrial Way', 'Building C', 'Cypress Creek, Oregon 97001'],
      ...['United States', 'accounts@globex.example', 'US 12-3456789'],
      ...['3 November 2026', '13 December 2026', 'AMOUNT DUE', '€7,119.25'],
      ...['Website', 'Design and copy', '37.5', 'hours', '€120.00', '19%', '€4,500.00'],
      ...['Workshop', '0.25', 'days', '€1,600.0045', '€400.00'],
      ...['Subtotal', '€6,175.00', 'Total EUR', '€7,119.25'],
      ...['Thank you.', 'Please pay within 40 days.', 'Page 1 of 1'],
    ]) {
      expect(text).toContain(squeeze(part));
    }
  });

  it('leaves out what the customer has not', async () => {
    const nothing = { contact: null, email: null, addressLine1: null, addressLine2: null, city: null };
    const customer = { ...CUSTOMER, ...nothing, region: null, postalCode: null, countryCode: null, taxNumber: null };
    const { texts } = (await read({ customer, dueDate: null, notes: null })).pages[0] ?? { texts: [] };
    const all = texts.map(({ text }) => text);
    expect(all.join(' ')).not.toMatch(/null|undefined|Tax number/);
    expect(all).not.toContain('DUE');
    expect(all).not.toContain('NOTES');
  });

  it('has its figures in columns: amounts end in one line, decimal points stand one below the other', async () => {
    const pdf = await read();
    const [page] = pdf.pages;
    const right = (text: string) => textOf(page, text).right;
    const left = (text: string) => textOf(page, text).left;
    for (const amount of ['€4,500.00', '€1,275.00', '€400.00', '€6,175.00', '€89.25']) {
      expect(right(amount)).toBeCloseTo(page ? rightEdge(page) : 0, 0);
    }
    const digit = right('150') - left('150');
    expect(right('150')).toBeCloseTo(left('37.5') + (2 * digit) / 3, 1);
    expect(right('€8.50')).toBeLessThan(right('€1,600.0045') - digit / 3);
    expectInsideMargins(pdf);
    if (page) expectNoOverlap(page);
  });

  it('breaks the tax down by rate, and the shares sum up', async () => {
    const text = allText(await read());
    expect(text).toContain(squeeze('Tax 19% on €4,500.00 €855.00'));
    expect(text).toContain(squeeze('Tax 7% on €1,275.00 €89.25'));
    const single = await read({
      lineItems: [item({ taxRate: '19', amount: '10.00' })],
      subtotal: '10.00',
      taxTotal: '1.90',
    });
    expect(allText(single)).toContain(squeeze('Tax 19% €1.90'));
  });

  it('has no tax where no line has', async () => {
    const text = allText(await read({ lineItems: [item()], subtotal: '100.00', taxTotal: '0.00', total: '100.00' }));
    expect(text).not.toMatch(/tax(?!number)|subtotal/i);
  });

  it('sums the tax up where there are more rates than anybody reads', async () => {
    const lineItems = Array.from({ length: 40 }, (_, index) => item({ taxRate: `${index + 1}` }));
    const text = allText(await read({ lineItems, subtotal: '4000.00', taxTotal: '820.00', total: '4820.00' }));
    expect(text).toContain(squeeze('Subtotal €4,000.00 Tax €820.00'));
  });

  it.each([
    ['JPY', '1234567', '¥1,234,567'],
    ['BHD', '1234.567', 'BHD 1,234.567'],
    ['USD', '999999999999999998000000.00', '$999,999,999,999,999,998,000,000.00'],
  ])('prints an amount of %s with all its digits', async (currency, total, expected) => {
    const pdf = await read({ currency, total, lineItems: [item({ amount: total })] });
    expect(allText(pdf)).toContain(squeeze(expected));
    expectInsideMargins(pdf);
  });

  it('makes room for the longest figures that there are', async () => {
    const most = '999999999999.999999';
    const amount = '999999999999999999999998.00';
    const pdf = await read({ lineItems: [item({ quantity: most, price: most, taxRate: '99.999999', amount })] });
    expectInsideMargins(pdf);
    for (const page of pdf.pages) expectNoOverlap(page);
  });

  it.each([
    ['draft', 'DRAFT', 'DRAFT'],
    ['sent', '', ''],
    ['paid', 'PAID', ''],
    ['void', 'VOID', 'VOID'],
  ] as const)('shows that it is %s', async (status, badge, watermark) => {
    const { pages } = await read({ status });
    const badges = pages.flatMap(({ texts }) => texts.map(({ text }) => text)).filter((text) => /^[A-Z]+$/.test(text));
    expect(badges.filter((text) => ['DRAFT', 'PAID', 'VOID'].includes(text)).join('')).toBe(badge);
    expect(pages.map((page) => page.watermark)).toEqual([watermark]);
  });

  it('has a title, an author and a date of its own', async () => {
    expect((await read()).info).toMatchObject({
      Title: 'Invoice INV-000042',
      Author: NAME,
      Language: 'en',
      CreationDate: 'D:20261103000000Z',
    });
    expect((await read({ number: null, status: 'draft' })).info).toMatchObject({ Title: 'Draft invoice' });
    const name = 'A & B 名';
    expect((await read({ seller: { ...PROFILE, name } })).info).toMatchObject({ Author: name });
  });

  it('is the same bytes for the same invoice', async () => {
    const [one, other] = [await drawn(printed()), await drawn(printed())];
    expect(one).toEqual(other);
  });

  it('embeds of its fonts what it shows', async () => {
    const bytes = await drawn(printed({ seller: { ...PROFILE, name: '株式会社アクメ' } }));
    const objects = [...objectsOf(Buffer.from(bytes)).values()].join('');
    const fonts = [...objects.matchAll(/\/FontName \/(\S+)/g)].map(([, name]) => name);
    expect(fonts).toHaveLength(3);
    for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+/);
    expect(bytes.length).toBeLessThan(60_000);
  });
});

describe('an invoice of many lines', () => {
  it('repeats the head of the table and counts the pages', async () => {
    const lineItems = Array.from({ length: 120 }, (_, index) => item({ name: `Ticket ${index + 1}.` }));
    const pdf = await read({ lineItems });
    const count = pdf.pages.length;
    expect(count).toBeGreaterThan(3);
    pdf.pages.forEach((page, index) => {
      expect(page.squeezed).toContain(squeeze(`Invoice INV-000042 · Page ${index + 1} of ${count}`));
      const hasRows = page.squeezed.includes('Ticket');
      expect(page.squeezed.includes('DESCRIPTION')).toBe(hasRows);
      expectNoOverlap(page);
    });
    const tickets = allText(pdf).match(/Ticket\d+\./g);
    expect(tickets).toEqual(lineItems.map(({ name }) => squeeze(name)));
    expectInsideMargins(pdf);
  });

  it('never has the sums on a page without a line', async () => {
    for (let length = 8; length < 24; length++) {
      const { pages } = await read({ lineItems: Array.from({ length }, () => item()), notes: null });
      expect(pages.at(-1)?.squeezed).toContain('Consulting');
    }
  });

  it('may be thousands', async () => {
    const lineItems = Array.from({ length: 2_000 }, (_, index) => item({ name: `Ticket ${index + 1}.` }));
    const bytes = await drawn(printed({ lineItems }));
    const { pages, info } = await readPdf(bytes, (count) => [1, count]);
    expect(pages[0]?.squeezed).toContain('Ticket1.');
    expect(pages[1]?.squeezed).toContain('Ticket2000.');
    expect(pages[1]?.squeezed).toContain(`Page${info.pageCount}of${info.pageCount}`);
  });

  it('tears only a row that would leave much of a page empty, and never for less than three lines', async () => {
    const description = 'A sentence of some words. '.repeat(76);
    const lineItems = [...Array.from({ length: 9 }, () => item()), item({ name: 'Long', description }), item()];
    const pdf = await read({ lineItems });
    const linesOf = (page: PdfPage | undefined) =>
      page?.texts.filter(({ text }) => text.includes('sentence')).length ?? 0;
    expect(allText(pdf).match(/sentence/g)).toHaveLength(76);
    expect(linesOf(pdf.pages[0])).toBeGreaterThanOrEqual(3);
    expect(linesOf(pdf.pages[1])).toBeGreaterThanOrEqual(3);
    expectInsideMargins(pdf);
  });

  it('goes on over as many pages as one text needs', async () => {
    const text = Array.from({ length: 300 }, (_, index) => `${index}.`).join('\n');
    const customer = { ...CUSTOMER, addressLine1: text };
    const pdf = await read({ customer, lineItems: [item({ description: text })], notes: text });
    expect(allText(pdf).match(/\b299\./g)).toHaveLength(3);
    expectInsideMargins(pdf);
    for (const page of pdf.pages) expectNoOverlap(page);
  });
});

describe('the text of an invoice', () => {
  it.each([
    ['Latin', 'Łódź Ünïcödé ß ﬁ Việt Nam İstanbul'],
    ['Greek', 'Ελληνική Εταιρεία ΑΕ'],
    ['Cyrillic', 'Общество «Ромашка» Київ'],
    ['Arabic', 'شركة النيل للتجارة الأولى'],
    ['Persian', 'شرکت پارس نمی‌خواهم گچ'],
    ['Hebrew', 'חברת הנייר בע״מ'],
    ['Devanagari', 'हिन्दी कंपनी प्राइवेट लिमिटेड क्षेत्रीय'],
    ['Bengali', 'বাংলা কোম্পানি'],
    ['Tamil', 'தமிழ் நிறுவனம்'],
    ['Telugu', 'తెలుగు సంస్థ'],
    ['Gujarati', 'ગુજરાતી કંપની'],
    ['Gurmukhi', 'ਪੰਜਾਬੀ ਕੰਪਨੀ'],
    ['Kannada', 'ಕನ್ನಡ ಕಂಪನಿ'],
    ['Malayalam', 'മലയാളം കമ്പനി'],
    ['Sinhala', 'සිංහල සමාගම'],
    ['Thai', 'บริษัท ตัวอย่าง จำกัด'],
    ['Lao', 'ບໍລິສັດ ລາວ'],
    ['Khmer', 'ក្រុមហ៊ុន ខ្មែរ'],
    ['Burmese', 'မြန်မာ ကုမ္ပဏီ'],
    ['Georgian', 'ქართული კომპანია'],
    ['Armenian', 'Հայկական ընկերություն'],
    ['Amharic', 'የኢትዮጵያ ኩባንያ'],
    ['Chinese', '深圳市腾讯计算机系统有限公司 喆珺 𠮷'],
    ['Japanese', '株式会社 髙島屋 ソフトウェア「検証」'],
    ['Korean', '주식회사 한국상사'],
    ['emoji', 'Rockets 🚀 👩‍💻 ❤️ 🇩🇪 👍🏽'],
    ['symbols', '✓ ★ → ≈ ∑ 𝒳 ① ½ № € ₹ ₿'],
    ['what no font has', '\u{12000} \u{10330}'],
  ])('can be copied in %s, in any weight', async (_, name) => {
    const pdf = await read({
      customer: { ...CUSTOMER, name, contact: name },
      lineItems: [item({ name, description: name })],
    });
    const expected = squeeze(name);
    expect(allText(pdf).split(expected)).toHaveLength(5);
    expectInsideMargins(pdf);
  });

  it('stands in the order in which it is read, from right to left and from left to right', async () => {
    const { pages } = await read({ customer: { ...CUSTOMER, name: 'ייעוץ (2026) Globex' } });
    const [page] = pages;
    const [hebrew, bracket, year, latin] = ['ייעוץ', '(', '2026', 'Globex'].map((text) => textOf(page, text).left);
    expect([hebrew, bracket, year, latin]).toEqual(
      [hebrew, bracket, year, latin].toSorted((one, other) => (other ?? 0) - (one ?? 0)),
    );
  });

  it('keeps a word that is wider than its column inside it', async () => {
    const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(5);
    const customer = { ...CUSTOMER, name: word, email: `${word}@example.com` };
    const pdf = await read({
      customer,
      lineItems: [item({ name: word, description: word, unit: word.slice(0, 50) })],
      seller: { ...PROFILE, name: word, legalName: word, bankDetails: word },
    });
    expect(allText(pdf).split(word).length).toBeGreaterThanOrEqual(4);
    expectInsideMargins(pdf);
    for (const page of pdf.pages) expectNoOverlap(page);
  });

  it('cannot be turned around by a name, and has nothing that is not seen', async () => {
    const name = '\u202eEvil\u202c\u0000 \u2066Corp\u2069\u200b.\u0007\ufeff';
    expect(allText(await read({ customer: { ...CUSTOMER, name } }))).toContain('EvilCorp.');
  });

  it('may be any text at all', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
      fc.string({
        unit: fc.constantFrom(
          '\u0627',
          '\u05d0',
          '1',
          '(',
          ' ',
          '\u0e33',
          '\u094d',
          '\u0915',
          '\u200d',
          '\ufe0f',
          '👩',
          '\n',
        ),
        maxLength: 60,
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, description, notes) => {
        const customer = { ...CUSTOMER, name, taxNumber: notes };
        const pdf = await read({
          customer,
          lineItems: [item({ name, description, unit: name.slice(0, 50) })],
          notes,
          purchaseOrder: description,
          seller: { ...PROFILE, name, legalName: notes, bankDetails: description },
        });
        expectInsideMargins(pdf);
        expect(allText(pdf)).toContain(squeeze('Total EUR €7,119.25'));
      }),
      {
        numRuns: draws(10),
        examples: [
          ['\u0915\u094d\u0915', '', ''],
          ['\u094d\u200d\u200d\u0915', '', ''],
          ['', '\ufe0f\u200d(', ''],
        ],
      },
    );
  });
});
