import * as v from 'valibot';
import { shownAddress, shownContact, shownSeller, shownTaxNumber } from '#shared/contract/details.ts';
import { createdAt, currency, date, percentage, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { lineItem } from './lines.ts';

export const status = v.picklist(['draft', 'sent', 'paid', 'void']);

export const locale = v.picklist(LOCALES);

/** With all minor digits of the currency. */
const amount = v.string();

const customer = v.pipe(
  v.object({
    name: described(v.string(), 'The name of the client.'),
    ...shownContact,
    contact: nullableText('The person to contact; null if nobody is named.'),
    ...shownAddress,
    taxNumber: shownTaxNumber,
  }),
  v.title('Customer'),
);

const seller = v.pipe(
  v.object({ name: described(v.string(), 'The name of the organization.'), ...shownSeller }),
  v.title('Seller'),
);

const tax = v.pipe(
  v.object({
    taxRate: described(percentage, 'The rate in percent, without trailing zeros.'),
    base: described(amount, 'The sum of the lines with this rate, after the discount.'),
    amount: described(amount, 'The sum of the taxes of these lines.'),
  }),
  v.description('The tax of one rate.'),
  v.title('Tax'),
);

const taxes = v.array(tax);

export const invoiceHead = v.object({
  id: described(uuid, 'The id of the invoice.'),
  number: nullableText('Given when the invoice is sent, without gaps: `INV-000001`. Null for a draft.'),
  status: described(status, 'A draft is sent, then paid. A sent invoice can be voided instead.'),
  clientId: described(uuid, 'The client who is billed; it may be deleted by now.'),
  seller: described(seller, 'A draft shows the organization as it is now. Sending the invoice fixes it as a copy.'),
  customer: described(
    customer,
    'A draft shows its client as it is now or, if the client was deleted, as it was when the draft was last changed. Sending the invoice fixes it as a copy.',
  ),
  currency: described(currency, 'The currency of all amounts, as an ISO 4217 code.'),
  issueDate: described(date, 'The day of the invoice.'),
  dueDate: described(v.nullable(date), 'The last day to pay, not before the issue date; null: none.'),
  purchaseOrder: nullableText("The customer's order number; null without one."),
  locale: described(v.nullable(locale), 'The language of the document; null counts as `en`.'),
  discountPercent: described(
    v.nullable(percentage),
    'The discount on the amount of each line in percent, before tax; null: none.',
  ),
  discountTotal: described(amount, 'The sum of the discounts of the lines.'),
  subtotal: described(amount, 'The sum of the lines after the discount, without tax.'),
  taxTotal: described(amount, 'The sum of the taxes of the lines, each rounded half up.'),
  total: described(amount, '`subtotal` and `taxTotal` together.'),
  amountPaid: described(amount, 'The sum of the payments.'),
  amountDue: described(amount, 'The amount still to be paid; zero for a void invoice.'),
  isOverdue: described(
    v.boolean(),
    'Whether it is sent, not paid, and due before today in the zone of the organization.',
  ),
  notes: nullableText('A text below the lines; null without one.'),
  createdAt,
  updatedAt,
  sentAt: described(v.nullable(timestamp), 'When it was sent; null for a draft.'),
  paidAt: described(v.nullable(timestamp), 'When it was paid; null until then.'),
  voidedAt: described(v.nullable(timestamp), 'When it was voided; null unless it is void.'),
});

export const invoice = v.pipe(
  v.object({
    ...invoiceHead.entries,
    lineItems: described(v.array(lineItem), 'The lines in the order of the document.'),
    taxes: described(taxes, 'One for each rate, the lowest first. Lines without a rate are in none.'),
  }),
  v.description('An invoice. Amounts are decimal strings in its currency, with all its minor digits.'),
  v.title('Invoice'),
  tagged(),
);

export const listedInvoice = v.pipe(
  v.object({
    ...invoiceHead.entries,
    lineItems: described(
      v.optional(v.array(lineItem)),
      'The lines, left out if they take more than 8 KB: get the invoice to see them.',
    ),
    taxes: described(v.optional(taxes), 'One for each rate, the lowest first. Left out together with the lines.'),
  }),
  v.description('An invoice as a list shows it: without its lines if they are many.'),
  v.title('ListedInvoice'),
);
