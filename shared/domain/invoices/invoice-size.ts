import { fault, type Problem } from '#shared/domain/problems.ts';
import { fontChangesIn } from './font-changes.ts';
import type { Invoice } from './invoice.ts';
import { presentInvoice } from './present-invoice.ts';
import { documentTooLarge, type LineHours } from './printed-hours.ts';
import { billsTime, roundedEntriesOf } from './printed-time.ts';

/** A request needs time to draw the PDF, and Lambda's 6 MB of JSON must hold it in Base64. */

const MAX_RESPONSE_BYTES = 6 * 1_048_576;

/**
 * For headers, and for members that a draft still gets: a number, dates, other details of seller and customer. The head
 * of a credit note takes no more.
 */
const RESERVED_BYTES = 200_000;

/** An invoice that can be sent can be credited, too. */
export function assertSendable(invoice: Invoice): void {
  const limit = MAX_RESPONSE_BYTES - RESERVED_BYTES;
  if (creditBytes(invoice) > limit) throw invoiceTooLarge('Its answer would take more than 6 MB.');
  if (pdfBytes(invoice) > limit) throw invoiceTooLarge('Its PDF might take more than 6 MB.');
  if (drawingMilliseconds(invoice) > MAX_DRAWING_MILLISECONDS) {
    throw invoiceTooLarge('Its PDF would take more than 6 seconds to draw.');
  }
}

export function invoiceTooLarge(reason: string): Problem {
  return fault('invoice_too_large', '', `The invoice would be too large. ${reason}`);
}

/** The lines of a credit note name those of the invoice, and may have longer quantities. */
function creditBytes(invoice: Invoice): number {
  const { lineItems, ...shown } = presentInvoice(invoice, invoice.issueDate);
  const credited = lineItems.map((line) => ({ ...line, lineItemId: line.id, quantity: LONGEST_DECIMAL }));
  return answerBytes({ ...shown, lineItems: credited });
}

const LONGEST_DECIMAL = '999999999999.999999';

/** An attached e-invoice is in no estimate. @throws Problem `invoice_too_large`, or of a PDF with hours `document_too_large` */
export function assertPdfFits(pdf: Uint8Array, hasHours: boolean): void {
  if (base64Bytes(pdf.length) <= MAX_RESPONSE_BYTES - RESERVED_BYTES) return;
  throw hasHours ? documentTooLarge(TOO_MANY_BYTES) : invoiceTooLarge('Its PDF would take more than 6 MB.');
}

const TOO_MANY_BYTES = 'With its hours, the PDF might take more than 6 MB.';

/** Hours that can be drawn beside the invoice, before it is tried. @throws Problem `document_too_large` */
export function assertHoursFit(invoice: Invoice, hours: readonly LineHours[]): void {
  const rows = hours.flatMap((each) => each.rows);
  const texts = [
    ...hours.map(({ line }) => line.name),
    ...rows.flatMap(({ description, person }) => [description, person]),
  ];
  const count = rows.length + hours.length;
  const bytes = count * PDF_BYTES.entry + textBytes(texts) + footerBytes(invoice, count, texts);
  if (pdfBytes(invoice) + bytes > MAX_RESPONSE_BYTES - RESERVED_BYTES) throw documentTooLarge(TOO_MANY_BYTES);
  const milliseconds = count * DRAWING_MILLISECONDS.entry;
  if (milliseconds + textMilliseconds(texts, MAX_HOURS_MILLISECONDS) > MAX_HOURS_MILLISECONDS) {
    throw documentTooLarge('Its hours would take more than 12 seconds to draw.');
  }
}

/** The larger of the text and its gzip, which at worst grows a little. */
function answerBytes(data: object): number {
  const text = JSON.stringify({ data });
  return Math.max(Buffer.byteLength(JSON.stringify(text)), base64Bytes(Buffer.byteLength(text) * STORED));
}

/** Gzip's overhead where nothing can be compressed. */
const STORED = 1.001;

function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Upper bounds in Base64, measured with random letters and whole alphabets: fonts are embedded letter by letter. */
const PDF_BYTES = {
  document: 300_000,
  lineItem: 100,
  entry: 300,
  lineBreak: 30,
  ascii: 3,
  other: 14,
  letter: 400,
} as const;

/** Upper bounds, too: of all that a logo has after it was shrunk, and of what the largest one takes. */
const OF_LOGO = { bytes: 900_000, milliseconds: 500 } as const;

/** Too high for most invoices. The exact size would need the drawing itself, which may take seconds. */
function pdfBytes(invoice: Invoice): number {
  const { lineItems, seller } = invoice;
  const { names, others } = textsOf(invoice);
  const head = PDF_BYTES.document + (seller.logo === null ? 0 : OF_LOGO.bytes);
  const lines = lineItems.length * PDF_BYTES.lineItem + textBytes(names) + textBytes(others);
  return head + lines + footerBytes(invoice, lineItems.length, [...names, ...others]);
}

function footerBytes({ seller }: Invoice, rows: number, texts: readonly string[]): number {
  return seller.footer ? textBytes([seller.footer]) * pagesOf(rows, texts) : 0;
}

/** A page has room for more than these, of any of them. */
const OF_PAGE = { rows: 20, lineBreaks: 40, characters: 2_000 } as const;

function pagesOf(rows: number, texts: readonly string[]): number {
  const ofTexts = texts.map((text) => lineBreaksIn(text) / OF_PAGE.lineBreaks + text.length / OF_PAGE.characters);
  return ofTexts.reduce((sum, pages) => sum + pages, 1 + rows / OF_PAGE.rows);
}

const lineBreaksIn = (text: string) => text.split(/[\n\r]/).length - 1;

interface Texts {
  readonly names: readonly string[];
  readonly others: readonly string[];
}

function textsOf({ lineItems, notes, currency }: Invoice): Texts {
  const reasons = new Set(lineItems.flatMap(({ taxExemptionReason }) => taxExemptionReason ?? []));
  const dated = lineItems.filter((line) => !billsTime(line) && (line.serviceFrom ?? line.serviceTo) !== null);
  const dates = dated.map(() => WRITTEN_DATES);
  const sums = lineItems
    .filter((line) => billsTime(line) && roundedEntriesOf(line, currency) > 0)
    .map(() => WRITTEN_SUM);
  const worked = lineItems.filter(({ workedMinutes }) => workedMinutes !== null).map(() => WRITTEN_TIME);
  return {
    names: lineItems.map(({ name }) => name),
    others: [
      notes ?? '',
      ...lineItems.flatMap(({ description, unit }) => [description, unit]),
      ...reasons,
      ...dates,
      ...sums,
      ...worked,
    ],
  };
}

/** As long as two dates are in any language. */
const WRITTEN_DATES = '2026年11月30日 – 2026年12月31日';

/** As long as the words about a sum of entries are in any language. */
const WRITTEN_SUM = '10,000件の記録をそれぞれ端数処理した合計';

/** As long as the time worked is in any language. */
const WRITTEN_TIME = '\nTempo effettivamente lavorato: 1000:00 実作業時間：';

/** Six seconds of the processor that 1,024 MB have. Texts that come later take as long; the function has 29. */
const MAX_DRAWING_MILLISECONDS = 6_000 * (1_024 / 1_769);

/** Beside the invoice. */
const MAX_HOURS_MILLISECONDS = 2 * MAX_DRAWING_MILLISECONDS;

/** Upper bounds of a whole processor, measured with random letters. Each font shapes each word once. */
const DRAWING_MILLISECONDS = {
  document: 500,
  lineItem: 0.17,
  entry: 0.25,
  lineBreak: 0.05,
  fontChange: 0.015,
} as const;

interface LetterTime {
  readonly letters: RegExp;
  /** In a word that was not drawn before in its font. */
  readonly first: number;
  readonly again: number;
}

const ANY_LETTER = { first: 0.02, again: 0.0015 };

/** The time that these letters take beyond that of any letter. */
const OTHER_LETTERS: readonly LetterTime[] = [
  { letters: /[\p{scx=Beng}\p{scx=Deva}]/gu, first: 0.13, again: 0.006 },
  {
    letters:
      /[\p{scx=Gujr}\p{scx=Guru}\p{scx=Hang}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}]/gu,
    first: 0.04,
    again: 0.001,
  },
  { letters: /[^\p{L}\p{M}\p{ASCII}]/gu, first: 0.04, again: 0.002 },
  { letters: /[^\p{ASCII}]/gu, first: 0, again: 0.0025 },
];

function drawingMilliseconds(invoice: Invoice): number {
  const { names, others } = textsOf(invoice);
  const { document, lineItem } = DRAWING_MILLISECONDS;
  const logo = invoice.seller.logo === null ? 0 : OF_LOGO.milliseconds;
  const rest = MAX_DRAWING_MILLISECONDS - document - logo - invoice.lineItems.length * lineItem;
  const ofNames = textMilliseconds(names, rest);
  return MAX_DRAWING_MILLISECONDS - rest + ofNames + textMilliseconds(others, rest - ofNames);
}

/** @param most what is more needs no exact figure */
function textMilliseconds(texts: readonly string[], most: number): number {
  const { lineBreak, fontChange } = DRAWING_MILLISECONDS;
  const drawn = new Map<string, number>();
  let milliseconds = 0;
  for (const text of texts) {
    milliseconds += lineBreaksIn(text) * lineBreak + fontChangesIn(text) * fontChange;
    for (const word of text.split(/\s/)) {
      milliseconds += drawn.get(word) ?? wordMilliseconds(word, 'first');
      if (!drawn.has(word)) drawn.set(word, wordMilliseconds(word, 'again'));
    }
    if (milliseconds > most) return milliseconds;
  }
  return milliseconds;
}

/** With the space behind it. */
function wordMilliseconds(word: string, time: 'first' | 'again'): number {
  return OTHER_LETTERS.reduce(
    (sum, { letters, ...kind }) => sum + (word.match(letters)?.length ?? 0) * kind[time],
    (word.length + 1) * ANY_LETTER[time],
  );
}

function textBytes(texts: readonly string[]): number {
  const letters = new Set<string>();
  let bytes = 0;
  for (const text of texts) {
    for (const character of text) {
      if (character > '\u007f') letters.add(character);
      bytes += bytesOf(character);
    }
  }
  return bytes + letters.size * PDF_BYTES.letter;
}

function bytesOf(character: string): number {
  if (character === '\n' || character === '\r') return PDF_BYTES.lineBreak;
  return character > '\u007f' ? PDF_BYTES.other : PDF_BYTES.ascii;
}
