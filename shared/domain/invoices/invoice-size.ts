import { fault, type Problem } from '#shared/domain/problems.ts';
import type { Invoice } from './invoice.ts';
import { presentInvoice } from './present-invoice.ts';

/** A request needs time to draw the PDF, and Lambda's 6 MB of JSON must hold it in Base64. */

const MAX_RESPONSE_BYTES = 6 * 1_048_576;

/** For headers, and for members that a draft still gets: a number, dates, other details of seller and customer. */
const RESERVED_BYTES = 200_000;

export function assertSendable(invoice: Invoice): void {
  const limit = MAX_RESPONSE_BYTES - RESERVED_BYTES;
  if (answerBytes(invoice) > limit) throw invoiceTooLarge('Its answer would take more than 6 MB.');
  if (pdfBytes(invoice) > limit) throw invoiceTooLarge('Its PDF might take more than 6 MB.');
  if (drawingMilliseconds(invoice) > MAX_DRAWING_MILLISECONDS) {
    throw invoiceTooLarge('Its PDF would take more than 6 seconds to draw.');
  }
}

export function invoiceTooLarge(reason: string): Problem {
  return fault('invoice_too_large', '', `The invoice would be too large. ${reason}`);
}

/** The larger of the text and its gzip, which at worst grows a little. */
function answerBytes(invoice: Invoice): number {
  const text = JSON.stringify({ data: presentInvoice(invoice, invoice.issueDate) });
  return Math.max(Buffer.byteLength(JSON.stringify(text)), base64Bytes(Buffer.byteLength(text) * STORED));
}

/** Gzip's overhead where nothing can be compressed. */
const STORED = 1.001;

function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Upper bounds in Base64, measured with random letters and whole alphabets: fonts are embedded letter by letter. */
const PDF_BYTES = { document: 300_000, lineItem: 100, lineBreak: 30, ascii: 3, other: 14, letter: 400 } as const;

/** Too high for most invoices. The exact size would need the drawing itself, which may take seconds. */
function pdfBytes(invoice: Invoice): number {
  const { lineItems } = invoice;
  const { names, others } = textsOf(invoice);
  return PDF_BYTES.document + lineItems.length * PDF_BYTES.lineItem + textBytes(names) + textBytes(others);
}

interface Texts {
  readonly names: readonly string[];
  readonly others: readonly string[];
}

function textsOf({ lineItems, notes }: Invoice): Texts {
  return {
    names: lineItems.map(({ name }) => name),
    others: [notes ?? '', ...lineItems.flatMap(({ description, unit }) => [description, unit])],
  };
}

/** Lambda gives 1,024 MB of memory this part of a processor, whose six seconds it has. */
const MAX_DRAWING_MILLISECONDS = 6_000 * (1_024 / 1_769);

/**
 * Upper bounds of a whole processor, measured with random letters. Fonts are opened for the document, and each shapes
 * each word once. Signs other than letters are of many fonts, which change within a word.
 */
const DRAWING_MILLISECONDS = { document: 500, lineItem: 0.2, lineBreak: 0.05 } as const;

const LETTER_MILLISECONDS: readonly (readonly [letters: RegExp, milliseconds: number])[] = [
  [/[\p{scx=Beng}\p{scx=Deva}]/gu, 0.15],
  [
    /[\p{scx=Gujr}\p{scx=Guru}\p{scx=Hang}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}]/gu,
    0.06,
  ],
  [/[^\p{L}\p{M}\p{ASCII}]/gu, 0.06],
];

const OTHER_LETTER_MILLISECONDS = 0.02;

/** What a word takes that was shaped before. */
const REPEATED = 0.1;

function drawingMilliseconds(invoice: Invoice): number {
  const { names, others } = textsOf(invoice);
  const { document, lineItem } = DRAWING_MILLISECONDS;
  let milliseconds = document + invoice.lineItems.length * lineItem;
  for (const texts of [names, others]) {
    const shaped = new Map<string, number>();
    for (const text of texts) {
      milliseconds += (text.split(/[\n\r]/).length - 1) * DRAWING_MILLISECONDS.lineBreak;
      for (const word of text.split(/\s/)) {
        const known = shaped.get(word);
        const shaping = known ?? shapingMilliseconds(word);
        if (known === undefined) shaped.set(word, shaping);
        milliseconds += known === undefined ? shaping : shaping * REPEATED;
      }
      if (milliseconds > MAX_DRAWING_MILLISECONDS) return milliseconds;
    }
  }
  return milliseconds;
}

/** Of a word with the space behind it. */
function shapingMilliseconds(word: string): number {
  return LETTER_MILLISECONDS.reduce(
    (sum, [letters, milliseconds]) =>
      sum + (word.match(letters)?.length ?? 0) * (milliseconds - OTHER_LETTER_MILLISECONDS),
    (word.length + 1) * OTHER_LETTER_MILLISECONDS,
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
