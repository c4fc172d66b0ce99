import type { InvoiceDocument } from '#shared/domain/invoices/invoice.ts';
import type { HanStyle } from './font-families.ts';
import { layOutInvoice, type Seller, titleOf } from './invoice-layout.ts';
import { paint } from './paint.ts';
import { printable } from './printable.ts';
import { createTypesetter } from './typesetter.ts';

/** {@link renderInvoice}, together with everything that it loads. */
export async function drawInvoice(invoice: InvoiceDocument, seller: Seller): Promise<Uint8Array> {
  const typesetter = createTypesetter(hanStyleOf(invoice, seller));
  return paint(layOutInvoice(invoice, seller, typesetter), {
    title: titleOf(invoice),
    author: printable(seller.name),
    createdAt: new Date(`${invoice.issueDate}T00:00:00Z`),
  });
}

const HAN_STYLES_OF_COUNTRIES: Readonly<Record<string, HanStyle>> = { JP: 'japanese', KR: 'korean', KP: 'korean' };

/**
 * Chooses the shapes of characters that Chinese, Japanese and Korean share. The customer's country decides, or else
 * letters that only one of the languages has.
 */
function hanStyleOf({ customer, lineItems, notes }: InvoiceDocument, seller: Seller): HanStyle {
  const byCountry = HAN_STYLES_OF_COUNTRIES[customer.countryCode ?? ''];
  if (byCountry) return byCountry;
  const texts = [
    seller.name,
    ...Object.values(customer),
    notes,
    ...lineItems.flatMap(({ name, description }) => [name, description]),
  ];
  const has = (letters: RegExp) => texts.some((text) => text !== null && letters.test(text));
  if (has(/[\p{Script=Hiragana}\p{Script=Katakana}]/u)) return 'japanese';
  return has(/\p{Script=Hangul}/u) ? 'korean' : 'chinese';
}
