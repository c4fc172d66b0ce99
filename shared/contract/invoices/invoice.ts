import * as v from 'valibot';
import { shownExternalId } from '#shared/contract/external-id.ts';
import { createdAt, currency, date, figure, percentage, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { customer, locale, seller, taxes } from '#shared/contract/invoices/document.ts';
import { lineItem } from '#shared/contract/invoices/lines.ts';
import { component, described, nullableText } from '#shared/contract/meaning.ts';
import { shownMetadata } from '#shared/contract/metadata.ts';
import { resource } from '#shared/contract/tagged.ts';
import { taxRounding } from '#shared/contract/tax.ts';
import { INVOICE_STATUSES } from '#shared/domain/invoices/steps.ts';

const status = v.picklist(INVOICE_STATUSES);

export const invoiceHead = v.object({
  id: described(uuid, 'The id of the invoice.'),
  number: nullableText(
    'Given when the invoice is sent, without gaps in its series, as the organization numbers invoices. Null for a draft.',
  ),
  status: described(
    status,
    'A draft is sent, then paid. A sent invoice can be voided instead. An invoice that was credited in full is `credited`.',
  ),
  clientId: described(uuid, 'The client who is billed; it may be deleted by now.'),
  seller: described(seller, 'A draft shows the organization as it is now. Sending the invoice fixes it as a copy.'),
  customer: described(
    customer,
    'A draft shows its client as it is now or, if the client was deleted, as it was when the draft was last changed. Sending the invoice fixes it as a copy.',
  ),
  currency: described(currency, 'The currency of all amounts, as an ISO 4217 code.'),
  issueDate: described(date, 'The day of the invoice.'),
  dueDate: described(v.nullable(date), 'The last day to pay, not before the issue date; null: none.'),
  serviceFrom: described(
    v.nullable(date),
    'The first day of what is billed: the one given for the invoice, else the earliest of its lines; null if there is none.',
  ),
  serviceTo: described(
    v.nullable(date),
    'The last day of what is billed, inclusive: the one given for the invoice, else the latest of its lines; null if there is none.',
  ),
  purchaseOrder: nullableText("The customer's order number; null without one."),
  locale: described(v.nullable(locale), 'The language of the document; null counts as `en`.'),
  discountPercent: described(
    v.nullable(percentage),
    'The discount on the amount of each line in percent, before tax; null: none.',
  ),
  taxRounding: described(
    taxRounding,
    'How tax is rounded half up: `line`, for each line; or `rate`, for the sum of each category and rate. Copied from the organization at the creation of the invoice.',
  ),
  discountTotal: described(figure, 'The sum of the discounts of the lines.'),
  subtotal: described(figure, 'The sum of the lines after the discount, without tax.'),
  taxTotal: described(figure, 'The sum of the amounts of `taxes`.'),
  total: described(figure, '`subtotal` and `taxTotal` together: at most 15 digits before the point.'),
  creditedTotal: described(figure, 'The sum of the totals of its credit notes.'),
  amountPaid: described(figure, 'The sum of the payments, less the refunds.'),
  amountDue: described(figure, 'The amount that credits and payments leave to be paid; zero for a void invoice.'),
  amountToRefund: described(figure, 'The amount that was paid beyond that; zero where nothing was.'),
  isOverdue: described(
    v.boolean(),
    'Whether it is sent, not paid, and due before today in the zone of the organization.',
  ),
  paymentUrl: nullableText('Where to pay, as a link on the document while something is due; null without one.'),
  notes: nullableText('A text below the lines; null without one.'),
  externalId: shownExternalId('invoice'),
  metadata: shownMetadata,
  createdAt,
  updatedAt,
  sentAt: described(v.nullable(timestamp), 'When it was sent; null for a draft.'),
  paidAt: described(v.nullable(timestamp), 'When it was paid; null until then.'),
  voidedAt: described(v.nullable(timestamp), 'When it was voided; null unless it is void.'),
});

export const invoice = resource(
  'Invoice',
  'An invoice. Amounts are decimal strings in its currency, with all its minor digits.',
  {
    ...invoiceHead.entries,
    lineItems: described(v.array(lineItem), 'The lines in the order of the document.'),
    taxes: described(
      taxes,
      'One for each category and rate, the lowest rate first. Lines without a category are in none.',
    ),
  },
);

export const listedInvoice = component(
  'ListedInvoice',
  'An invoice as a list shows it: without its lines if they are many.',
  {
    ...invoiceHead.entries,
    lineItems: described(
      v.optional(v.array(lineItem)),
      'The lines, left out if they take more than 8 KB: get the invoice to see them.',
    ),
    taxes: described(
      v.optional(taxes),
      'One for each category and rate, the lowest rate first. Left out together with the lines.',
    ),
  },
);
