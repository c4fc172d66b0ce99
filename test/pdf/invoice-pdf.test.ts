import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { draws } from '#test/support/draws.ts';
import { expectInsideMargins, expectTidy, rightEdge } from './expectations.ts';
import { CUSTOMER, drawn, item, NAME, PROFILE, printed } from './printed.ts';
import { dictionariesOf, readObjects, watermarksIn } from './read-objects.ts';
import { allText, type Pdf, type PdfPage, readPdf, squeeze } from './read-pdf.ts';

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
    expectTidy(pdf);
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

  const PAID_IN_PART = { amountPaid: '20.00', amountDue: '7099.25' };

  it.each<[string, string, boolean, Partial<PrintedInvoice>]>([
    ['a draft', 'DRAFT', true, { status: 'draft' }],
    ['sent', '', false, { status: 'sent' }],
    ['paid', 'PAID', false, { status: 'paid' }],
    ['paid in part', 'PART PAID', false, PAID_IN_PART],
    ['overdue, even if it is paid in part', 'OVERDUE', false, { ...PAID_IN_PART, isOverdue: true }],
    ['void', 'VOID', true, { status: 'void' }],
  ])('shows that it is %s', async (_, badge, hasWatermark, changes) => {
    const bytes = await drawn(printed(changes));
    const texts = (await readPdf(bytes)).pages.flatMap((page) => page.texts.map(({ text }) => text));
    expect(texts.filter((text) => /^(?:DRAFT|(?:PART )?PAID|OVERDUE|VOID)$/.test(text)).join('')).toBe(badge);
    expect(watermarksIn(bytes)).toEqual([hasWatermark]);
  });

  it('embeds of its fonts what it shows', async () => {
    const bytes = await drawn(printed({ seller: { ...PROFILE, name: '株式会社アクメ' } }));
    const fonts = dictionariesOf(readObjects(bytes)).flatMap((one) => one.get('FontName') ?? []);
    expect(fonts).toHaveLength(4);
    for (const font of fonts) expect(font).toEqual({ name: expect.stringMatching(/^[A-Z]{6}\+/) });
    expect(bytes.length).toBeLessThan(60_000);
  });
});

describe('an invoice of many lines', () => {
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

  it('may be any text at all', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
      fc.string({
        unit: fc.constantFrom(...'\u0627\u05d01( \u0e33\u094d\u0915\u200d\ufe0f👩\n'),
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
        numRuns: draws(5),
        examples: [
          ['\u0915\u094d\u0915', '', ''],
          ['\u094d\u200d\u200d\u0915', '', ''],
          ['', '\ufe0f\u200d(', ''],
        ],
      },
    );
  });
});
