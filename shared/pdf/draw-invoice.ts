import { parentPort } from 'node:worker_threads';
import type { LineHours } from '#shared/domain/invoices/printed-hours.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { midnightOf } from '#shared/domain/tracker/work-time.ts';
import { layOutInvoice } from './invoice-layout.ts';
import { paint } from './paint.ts';
import { pictureOf } from './picture.ts';
import { printingOf, titleOf } from './printing.ts';
import { createTypesetter, type HanStyle, printable } from './typesetter/typesetter.ts';

export interface Attached {
  /** The same invoice as CII of EN 16931, as XML. It makes the document Factur-X. */
  readonly facturX?: string;
  /** A PNG or JPEG. */
  readonly logo?: Uint8Array;
  /** Of the lines of time, to be printed behind the last page. */
  readonly hours?: readonly LineHours[];
}

export interface Drawing {
  readonly invoice: PrintedInvoice;
  readonly attached: Attached;
}

/** The thread's work (`invoice-pdf.ts`). An error ends the thread, and is told to the function that waits. */
parentPort?.on('message', async (drawing: Drawing) => {
  const pdf = await drawInvoice(drawing);
  parentPort?.postMessage(pdf, [pdf.buffer]);
});

async function drawInvoice({ invoice, attached: { facturX, logo, hours } }: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  const printing = printingOf(invoice, createTypesetter(hanStyleOf(invoice)), logo && pictureOf(logo));
  const facts = {
    paper: printing.paper,
    title: titleOf(printing),
    author: printable(invoice.seller.name).replaceAll('\n', ' '),
    language: invoice.locale ?? 'en',
    createdAt: new Date(midnightOf(invoice.issueDate)),
    facturX,
  };
  return paint(layOutInvoice(printing, hours), facts);
}

const HAN_STYLES_OF_COUNTRIES: Readonly<Record<string, HanStyle>> = { JP: 'japanese', KR: 'korean', KP: 'korean' };

/** By the language of the invoice, the country of the customer, or letters that only one of the languages has. */
function hanStyleOf({ locale, seller, customer, lineItems, notes }: PrintedInvoice): HanStyle {
  if (locale === 'ja') return 'japanese';
  const byCountry = HAN_STYLES_OF_COUNTRIES[customer.countryCode ?? ''];
  if (byCountry) return byCountry;
  const texts = [
    ...Object.values(seller),
    ...Object.values(customer),
    notes,
    ...lineItems.flatMap(({ name, description }) => [name, description]),
  ];
  const has = (letters: RegExp) => texts.some((text) => text !== null && letters.test(text));
  if (has(/[\p{Script=Hiragana}\p{Script=Katakana}]/u)) return 'japanese';
  return has(/\p{Script=Hangul}/u) ? 'korean' : 'chinese';
}
