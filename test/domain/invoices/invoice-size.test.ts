import { createHash, randomUUID } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newClient } from '#shared/domain/clients/client.ts';
import { creditInvoice } from '#shared/domain/invoices/credit-note.ts';
import { type Invoice, type LineItem, newInvoice } from '#shared/domain/invoices/invoice.ts';
import { assertHoursFit, assertPdfFits, assertSendable } from '#shared/domain/invoices/invoice-size.ts';
import { lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import type { LineHours } from '#shared/domain/invoices/printed-hours.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { formatMinor } from '#shared/domain/money.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import { writeEInvoice } from '#shared/e-invoice/write-e-invoice.ts';
import type { Attached } from '#shared/pdf/draw-invoice.ts';
import { drawn, PROFILE, printed } from '#test/pdf/printed.ts';
import { draws } from '#test/support/draws.ts';
import { FIRST_CREDIT, NO_SOURCES } from '#test/support/invoice-sources.ts';
import { largest } from '#test/support/largest-invoice.ts';
import { organizationOf } from '#test/support/organization.ts';
import { png } from '#test/support/pictures.ts';
import { problem, refused } from '#test/support/refusals.ts';

const MAX_PAYLOAD_BYTES = 6 * 1_048_576;

const now = new Date('2026-11-20T12:00:00.000Z');
const organization = organizationOf({ id: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c' });
const client = newClient({ name: 'Globex' }, organization.id, '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b', now);

function lines(count: number, description: (line: number) => string): LineItem[] {
  const drafts = Array.from({ length: count }, (_, line) => ({
    name: 'x',
    description: description(line),
    price: '1',
  }));
  const newId = () => '019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d';
  return lineItemsOf(drafts, { ...NO_SOURCES, currency: 'USD', newId });
}

function invoice(lineItems: readonly LineItem[]): Invoice {
  return newInvoice(
    { currency: 'USD' },
    { organization, client },
    lineItems,
    '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61',
    now,
  );
}

/** Texts of 2,499 letters, in words that come again in any order, which makes them quick to draw and hard to pack. */
const LONGEST = Array.from({ length: 50 }, (_, seed) => {
  const bytes = createHash('shake256', { outputLength: 1_250 }).update(`${seed}`).digest();
  const wordAt = (at: number) => (bytes.readUInt16LE(2 * at) % 4_096).toString(36).padStart(3, '0');
  return Array.from({ length: 625 }, (_, at) => wordAt(at)).join(' ');
});

type Texts = readonly [name: string, text: (line: number) => string];

/** The parts that weigh most in a PDF for what they take in a text. */
const HEAVIEST: readonly Texts[] = [
  ['descriptions as long as they can be', (line) => LONGEST[line % LONGEST.length] ?? ''],
  ['lines of one letter', () => 'a\n'.repeat(1_000)],
  ['all letters of Chinese', (line) => letters(0x4e00 + (line % 10) * 2_000, 2_000)],
];

/** The limit is nearest to what is drawn in six seconds with these. */
const ASCII: Texts = ['ASCII', (line) => mixed(0x61, 0x7a, line)];

/** What takes longest to draw for what it is taken for. */
const DRAWN: readonly Texts[] = [
  ['Bengali', (line) => mixed(0x995, 0x9b9, line)],
  ['Devanagari', (line) => mixed(0x905, 0x939, line)],
  ['Khmer', (line) => mixed(0x1780, 0x17a2, line)],
  ['Hangul', (line) => mixed(0xac00, 0xb400, line)],
  ['symbols of many fonts', (line) => mixed(0x2190, 0x2bff, line)],
  ['a change of direction at every letter', () => 'aא'.repeat(1_000)],
  ['brackets in another font than what is in them', () => '(א)a'.repeat(500)],
];

const refusal = problem('invoice_too_large');

/** As Lambda sends a response: a body of text inside of JSON. */
function sentBytes(body: string): number {
  return Buffer.byteLength(JSON.stringify({ statusCode: 200, body, isBase64Encoded: false }));
}

function expectMost(most: number, text: (line: number) => string): void {
  expect(() => assertSendable(invoice(lines(most, text)))).not.toThrow();
  expect(() => assertSendable(invoice(lines(most + 1, text)))).toThrow(refusal);
}

describe('an invoice that can be sent', () => {
  it.each([
    ['quotation marks, which take four bytes', '"'],
    ['letters of four bytes', '\u{1f9ee}'],
    ['letters of one byte', 'x'],
    ['letters of three bytes', '\u20ac'],
  ])('has an answer of 6 MB at most, with %s', (_, letter) => {
    const of = (count: number) => invoice(lines(count, () => letter.repeat(2_000)));
    const most = largest((count) => of(count));
    expect(sentBytes(JSON.stringify({ data: of(most) }))).toBeLessThan(MAX_PAYLOAD_BYTES);
    expect(() => assertSendable(of(most + 1))).toThrow(refusal);
  });

  it('has an answer that leaves 200,000 bytes of these for headers, and for what it still gets', () => {
    const of = (letters: number) => ({ ...invoice(lines(723, () => '"'.repeat(2_000))), notes: 'x'.repeat(letters) });
    expect(() => assertSendable(of(5_651))).not.toThrow();
    expect(() => assertSendable(of(5_651 + 1))).toThrow(refusal);
  });

  it.each([
    ['whole', undefined],
    ['in part, with quantities as long as they can be', '000000000000.999999'],
  ])('can be credited %s, in an answer of 6 MB at most', (_, quantity) => {
    const most = largest((count) => invoice(lines(count, () => '')), 20_000);
    const items = lines(most, () => '').map((line, index) => ({
      ...line,
      id: `${line.id.slice(0, 24)}${1e11 + index}`,
    }));
    const parts = quantity && items.map(({ id }) => ({ lineItemId: id, quantity }));
    const draft = { reason: '\u{1f9ee}'.repeat(500), lines: parts || undefined, releaseEntries: true };
    const sources = { ...FIRST_CREDIT, id: randomUUID(), newId: randomUUID };
    const { creditNote } = creditInvoice(asSent(invoice(items), 'INV-000001', now), draft, sources, now);
    const body = JSON.stringify({ data: creditNote });
    expect(sentBytes(body)).toBeLessThan(MAX_PAYLOAD_BYTES);
    expect(sentBytes(gzipSync(body, { level: 0 }).toString('base64'))).toBeLessThan(MAX_PAYLOAD_BYTES);
    expect(creditNote.lineItems).toHaveLength(most);
  });

  it.each(HEAVIEST.slice(0, draws(1)))(
    'has a PDF of 6 MB at most, with its e-invoice in it and %s',
    async (_, text) => {
      const of = (count: number) => invoice(lines(count, text));
      const most = largest((count) => of(count));
      const document = { ...presentInvoice(of(most), '2026-11-20'), payments: [], seller: PROFILE };
      const pdf = await drawn(document, { facturX: writeEInvoice(document, 'en16931-cii') });
      expect(Math.ceil(pdf.length / 3) * 4).toBeLessThan(MAX_PAYLOAD_BYTES);
    },
    120_000,
  );

  it.each([
    ['Devanagari', 0x905, 0x939, 11],
    ['Bengali', 0x995, 0x9b9, 12],
    ['Khmer', 0x1780, 0x17a2, 27],
    ['Kannada', 0xc85, 0xcb9, 26],
    ['Hangul', 0xac00, 0xb400, 21],
    ['symbols of many fonts', 0x2190, 0x2bff, 21],
    ['Cyrillic', 0x410, 0x44f, 73],
    ['ASCII', 0x61, 0x7a, 74],
  ])('has at most as many letters as are drawn in six seconds: %s', (_, first, last, most) => {
    expectMost(most, (line) => mixed(first, last, line));
  });

  it.each([
    ['Devanagari', 0x905, 0x939, 157],
    ['Kannada', 0xc85, 0xcb9, 213],
    ['symbols of many fonts', 0x2190, 0x2bff, 70],
    ['Cyrillic', 0x410, 0x44f, 235],
    ['ASCII', 0x61, 0x7a, 924],
  ])('has its words shaped once, however often they come again: %s', (_, first, last, most) => {
    expectMost(most, () => mixed(first, last, 1));
  });

  const ofLines = (change: (line: LineItem) => Partial<LineItem>) => (made: Invoice) => ({
    ...made,
    lineItems: made.lineItems.map((line) => ({ ...line, ...change(line) })),
  });
  const words = mixed(0x61, 0x7a, 2);

  it.each<[string, (made: Invoice) => Invoice]>([
    ['notes', (made) => ({ ...made, notes: words })],
    ['names', ofLines(() => ({ name: words.slice(0, 20) }))],
    ['units', ofLines(() => ({ unit: words.slice(0, 20) }))],
    ['reasons', ofLines(() => ({ taxExemptionReason: words }))],
    ['dates', ofLines(() => ({ serviceFrom: '2026-11-02', serviceTo: '2026-11-20' }))],
    ['first days', ofLines(() => ({ serviceFrom: '2026-11-02' }))],
    ['last days', ofLines(() => ({ serviceTo: '2026-11-20' }))],
    ['time worked', ofLines(() => ({ workedMinutes: 90 }))],
    ['sums of rounded amounts', ofLines(() => ({ entryIds: ['1', '2'], quantity: '0.333333', price: '1' }))],
  ])('has its %s drawn in these six seconds too', (_, change) => {
    const most = invoice(lines(924, () => mixed(0x61, 0x7a, 1)));
    expect(() => assertSendable(most)).not.toThrow();
    expect(() => assertSendable(change(most))).toThrow(refusal);
  });

  const ofSeller = (seller: Partial<Seller>) => (made: Invoice) => ({ ...made, seller: { ...made.seller, ...seller } });

  it.each<[string, number, (line: number) => string, ((made: Invoice) => Invoice)?]>([
    ['lines that say nothing', 12_568, () => ''],
    ['line breaks in a heavy text', 200, () => 'ж'.repeat(1_700) + '\n'.repeat(75) + '\r'.repeat(75)],
    ['many letters beyond ASCII', 1_364, (line) => letters(0x4e00 + line * 10, 10)],
    ['a footer below line breaks', 309, () => '\n'.repeat(100), ofSeller({ footer: 'x'.repeat(2_000) })],
  ])(
    'has as many lines as its answer, its drawing and its PDF are taken to allow: %s',
    (_, most, text, change = (made) => made) => {
      const of = (count: number) => change(invoice(lines(count, text)));
      expect(() => assertSendable(of(most))).not.toThrow();
      expect(() => assertSendable(of(most + 1))).toThrow(refusal);
    },
  );

  it.each<[string, number, string, Partial<Seller>, string, string]>([
    ['bytes of a PDF', 205, 'ж'.repeat(2_000), {}, `жж${'x'.repeat(9_971)}`, `ж${'x'.repeat(9_976)}`],
    ['bytes beside a logo', 173, 'ж'.repeat(2_000), { logo: 'of one' }, `ж${'x'.repeat(9_741)}`, 'x'.repeat(9_746)],
    ['time', 54, 'a\n'.repeat(1_000), {}, 'x'.repeat(5_076), 'x'.repeat(5_077)],
    ['time beside a logo', 45, 'a\n'.repeat(1_000), { logo: 'of one' }, 'x'.repeat(4_005), 'x'.repeat(4_006)],
    [
      'a footer below texts',
      465,
      'x'.repeat(2_000),
      { footer: 'x'.repeat(2_000) },
      'x'.repeat(2_777),
      'x'.repeat(2_778),
    ],
    ['a footer below lines', 3_748, '', { footer: 'ж'.repeat(2_000) }, 'x'.repeat(94), 'x'.repeat(95)],
  ])('has notes to the last letter that there is room for: %s', (_, count, text, seller, most, more) => {
    const of = (notes: string) => ofSeller(seller)({ ...invoice(lines(count, () => text)), notes });
    expect(() => assertSendable(of(most))).not.toThrow();
    expect(() => assertSendable(of(more))).toThrow(refusal);
  });

  it('has room for the heaviest logo, if it has one', async () => {
    const size = { width: 709, height: 236 };
    // The differences of neighbours are easy to pack, the pixels are not.
    const noise = createHash('shake256', { outputLength: 1 + 4 * size.width })
      .update('logo')
      .digest();
    const line = noise.map((byte) => byte & 3).fill(4, 0, 1);
    const data = deflateSync(Buffer.concat(Array.from({ length: size.height }, () => line)));
    const logo = png({ ...size, colourType: 6, data });
    const bytes = async (attached: Attached) => ((await drawn(printed(), attached)).length / 3) * 4;
    expect((await bytes({ logo })) - (await bytes({}))).toSatisfy((more: number) => more > 700_000 && more < 900_000);
  });

  it('has room for a footer on each page', async () => {
    const many = lines(400, () => '');
    const document = { ...presentInvoice(invoice(many), '2026-11-20'), payments: [] };
    const bytes = async (footer: string | null) =>
      ((await drawn({ ...document, seller: { ...PROFILE, footer } })).length / 3) * 4;
    const footer = letters(0x4e00, 300);
    const embedded = 300 * 400;
    const pages = 400 / 20;
    expect((await bytes(footer)) - (await bytes(null))).toBeLessThan(embedded + pages * 300 * 14);
  });

  it.each([
    ['short texts', 5_000, (row: number) => `${row}.`, 'Ana'],
    [
      'usual texts',
      5_000,
      (row: number) => `Review of ${row} pages, and comments on their copy and on ${row}`,
      'Ana Lopes',
    ],
    ['long texts', 400, (row: number) => LONGEST[row % 50] ?? '', 'Ana Lopes'],
    ['lines of one letter', 60, () => 'a\n'.repeat(1_000), 'Ana Lopes'],
  ])(
    'has room for the hours of as many entries as are taken, with %s',
    async (_, count, description, person) => {
      const of = (many: number) => hoursWith(many, description, person);
      const made = invoice(of(1).map(({ line }) => line));
      expect(() => assertHoursFit(made, of(count))).not.toThrow();
      const document = { ...presentInvoice(made, '2026-11-20'), payments: [], seller: PROFILE };
      const before = process.cpuUsage();
      const pdf = await drawn(document, { hours: of(count) });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(12_000);
      expect(Math.ceil(pdf.length / 3) * 4).toBeLessThan(MAX_PAYLOAD_BYTES);
    },
    60_000,
  );

  it.each([
    [false, 'The invoice would be too large. Its PDF would take more than 6 MB.'],
    [true, 'With its hours, the PDF might take more than 6 MB.'],
  ])('has 6 MB of Base64, less 200,000 bytes, as it was drawn; with hours: %s', (hasHours, message) => {
    expect(() => assertPdfFits(new Uint8Array(4_568_592), hasHours)).not.toThrow();
    const [code, path] = hasHours ? ['document_too_large', 'hours'] : ['invoice_too_large', ''];
    expect(() => assertPdfFits(new Uint8Array(4_568_593), hasHours)).toThrow(refused(code, path, message));
  });

  it('has no hours that would take longer to draw, or more than 6 MB', () => {
    const made = invoice(hoursWith(1, () => '', '').map(({ line }) => line));
    expect(() =>
      assertHoursFit(
        made,
        hoursWith(5_000, (row) => LONGEST[row % 50] ?? '', 'Ana'),
      ),
    ).toThrow('With its hours, the PDF might take more than 6 MB.');
    expect(() =>
      assertHoursFit(
        made,
        hoursWith(60, (row) => mixed(0x995, 0x9b9, row), 'Ana'),
      ),
    ).toThrow('Its hours would take more than 12 seconds to draw.');
  });

  it('has the hours of so many entries at most, if nothing is said about them', () => {
    const made = invoice(hoursWith(1, () => '', '').map(({ line }) => line));
    const of = (count: number) => hoursWith(count, () => '', '');
    expect(() => assertHoursFit(made, of(19_303))).not.toThrow();
    expect(() => assertHoursFit(made, of(19_304))).toThrow(problem('document_too_large'));
  });

  it.each(DRAWN.slice(-draws(1)))(
    'has a PDF that takes less than twice as long to draw with %s as with ASCII',
    async (_, text) => {
      const ofAscii = await drawingOfMost(ASCII[1]);
      expect(await drawingOfMost(text)).toBeLessThan(2 * ofAscii);
    },
    120_000,
  );

  it.each<[string, Invoice]>([
    ['Its answer would take more than 6 MB.', invoice(lines(1_000, () => '"'.repeat(2_000)))],
    ['Its PDF might take more than 6 MB.', invoice(lines(207, () => 'ж'.repeat(2_000)))],
    ['Its PDF would take more than 6 seconds to draw.', invoice(lines(75, (line) => mixed(0x61, 0x7a, line)))],
  ])('is not refused without a reason: %s', (reason, large) => {
    const message = `The invoice would be too large. ${reason}`;
    expect(() => assertSendable(large)).toThrow(refused('invoice_too_large', '', message));
  });
});

function hoursWith(count: number, description: (row: number) => string, person: string): LineHours[] {
  const rows = Array.from({ length: count }, (_, row) => ({
    date: `2026-11-${String(1 + (row % 30)).padStart(2, '0')}`,
    description: description(row),
    person,
    minutes: 1 + (row % 600),
    amount: formatMinor(BigInt(row * 7_919), 'USD'),
  }));
  const [line] = lines(1, () => '');
  return line ? [{ line: { ...line, entryIds: rows.map((_, row) => `${row}`) }, rows, changed: null }] : [];
}

/** 2,000 letters in words of five that hardly come again. */
function mixed(first: number, last: number, seed: number): string {
  const bytes = createHash('shake256', { outputLength: 2_000 }).update(`${seed}`).digest();
  const letterOf = (byte: number) => String.fromCharCode(first + (byte % (last - first + 1)));
  return Array.from(bytes, (byte, at) => (at % 6 === 5 ? ' ' : letterOf(byte))).join('');
}

/** Microseconds of a processor, for as many lines as are taken. */
async function drawingOfMost(text: Texts[1]): Promise<number> {
  const of = (count: number) => invoice(lines(count, text));
  const document = { ...presentInvoice(of(largest(of)), '2026-11-20'), payments: [], seller: PROFILE };
  const before = process.cpuUsage();
  await drawn(document);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function letters(first: number, count: number): string {
  return String.fromCharCode(...Array.from({ length: count }, (_, i) => first + i));
}
