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
  if (hasMoreWords(textsOf(invoice), MAX_WORDS)) {
    throw invoiceTooLarge(`Its texts have more than ${MAX_WORDS} different words.`);
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

/** Each font shapes each word once, in up to a tenth of a millisecond (Arabic): ten seconds for this many. */
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
