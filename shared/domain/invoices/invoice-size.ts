import { fault, type Problem } from '#shared/domain/problems.ts';
import type { Invoice } from './invoice.ts';
import { presentInvoice } from './present-invoice.ts';

/**
 * Whether an invoice can be sent to a caller, as JSON and as a PDF, and drawn in the time of a request. Lambda takes a
 * response of 6 MB, which is a text inside of JSON: quotation marks and backslashes count twice there, and bytes that
 * are no text are written in Base64.
 */

const MAX_RESPONSE_BYTES = 6 * 1_048_576;

/** For headers, and for what a draft may still get: a number, dates, other details of seller and customer. */
const RESERVED_BYTES = 200_000;

/** @throws Problem `invoice_too_large` */
export function assertSendable(invoice: Invoice): void {
  const limit = MAX_RESPONSE_BYTES - RESERVED_BYTES;
  if (answerBytes(invoice) > limit) throw invoiceTooLarge('Its answer would take more than 6 MB.');
  if (pdfBytes(invoice) > limit) throw invoiceTooLarge('Its PDF might take more than 6 MB.');
  if (hasMoreWords(textsOf(invoice), MAX_WORDS)) {
    throw invoiceTooLarge(`Its texts have more than ${MAX_WORDS} different words.`);
  }
}

/** @param reason a sentence */
export function invoiceTooLarge(reason: string): Problem {
  return fault('invoice_too_large', '', `The invoice would be too large. ${reason}`);
}

/** The larger one of the answer as text and the answer gzipped, which at worst is no smaller. */
function answerBytes(invoice: Invoice): number {
  const text = JSON.stringify({ data: presentInvoice(invoice, invoice.issueDate) });
  return Math.max(Buffer.byteLength(JSON.stringify(text)), base64Bytes(Buffer.byteLength(text) * STORED));
}

/** What gzip adds to bytes that it cannot pack: five for each block, and a head. */
const STORED = 1.001;

function base64Bytes(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/**
 * What parts of a PDF take in Base64, at most as we draw it: measured with random letters, with lines of one letter,
 * with scripts in turn, and with all letters of a script. Fonts are embedded letter by letter. A letter takes up to
 * 360 bytes in Chinese and as an emoji.
 */
const PDF_BYTES = { document: 300_000, lineItem: 100, lineBreak: 30, ascii: 3, other: 14, letter: 400 } as const;

/** An estimate that is too high for most invoices. To know it, one would have to draw it, which may take seconds. */
function pdfBytes(invoice: Invoice): number {
  const { lineItems } = invoice;
  const { names, others } = textsOf(invoice);
  // Names are in bold, which is a font of its own.
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

/**
 * A word is shaped once in each font of a document: names are bold, other texts are not. In Arabic that takes a tenth
 * of a millisecond, so this many take ten seconds. No real invoice has as many.
 */
const MAX_WORDS = 100_000;

function hasMoreWords({ names, others }: Texts, most: number): boolean {
  const [bold, regular] = [new Set<string>(), new Set<string>()];
  const exceeds = (words: Set<string>) => (text: string) => {
    for (const word of text.split(/\s/)) words.add(word);
    return bold.size + regular.size > most;
  };
  return names.some(exceeds(bold)) || others.some(exceeds(regular));
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
