import * as v from 'valibot';
import { createdAt, currency, date, figure, uuid } from '#shared/contract/fields.ts';
import { customer, locale, seller, taxes } from '#shared/contract/invoices/document.ts';
import { exampleInvoice, sentInvoice } from '#shared/contract/invoices/examples.ts';
import { lineItem } from '#shared/contract/invoices/lines.ts';
import { component, described, nullableText } from '#shared/contract/meaning.ts';
import { taxRounding } from '#shared/contract/tax.ts';

export const creditLine = component('CreditLineItem', 'A line of a credit note. Amounts are positive.', {
  ...lineItem.entries,
  id: described(uuid, 'The id of this line of the credit note.'),
  lineItemId: described(uuid, 'The line of the invoice.'),
  entryIds: described(v.array(uuid), 'The entries that are credited; empty unless the line is tracked time.'),
  quantity: described(figure, 'The credited units; for tracked time, hours. `"1"` of a credit by amount.'),
  price: described(figure, 'The price of one unit, without tax; the whole amount of a credit by amount.'),
  amount: described(figure, 'The credited amount before the discount.'),
  discount: described(figure, "The invoice's `discountPercent` of the amount."),
});

export const creditNoteHead = v.object({
  id: described(uuid, 'The id of the credit note.'),
  number: described(
    v.string(),
    'The number of the credit note, without gaps in its series, as the organization numbers credit notes.',
  ),
  invoiceId: described(uuid, 'The invoice that is credited.'),
  invoiceNumber: described(v.string(), 'The number of that invoice.'),
  clientId: described(uuid, 'The client of the invoice; it may be deleted by now.'),
  seller: described(seller, 'That of the invoice.'),
  customer: described(customer, 'That of the invoice.'),
  currency: described(currency, 'The currency of all amounts, as an ISO 4217 code.'),
  locale: described(v.nullable(locale), 'The language of the document; null counts as `en`.'),
  taxRounding: described(taxRounding, 'That of the invoice.'),
  issueDate: described(date, 'The day of the credit note.'),
  serviceFrom: described(
    v.nullable(date),
    'The first day of what is credited: the earliest of its lines, or that of the invoice if they have no days.',
  ),
  serviceTo: described(
    v.nullable(date),
    'The last day of what is credited, inclusive: the latest of its lines, or that of the invoice if they have no days.',
  ),
  purchaseOrder: nullableText("The customer's order number, that of the invoice; null without one."),
  reason: described(v.string(), 'Why the invoice is corrected.'),
  subtotal: described(figure, 'The sum of the lines after the discount, without tax.'),
  discountTotal: described(figure, 'The sum of the discounts of the lines.'),
  taxTotal: described(figure, 'The sum of the amounts of `taxes`.'),
  total: described(figure, '`subtotal` and `taxTotal` together.'),
  createdAt,
});

export const creditNoteEntries = {
  ...creditNoteHead.entries,
  lineItems: described(v.array(creditLine), 'The credited lines.'),
  taxes: described(taxes, 'One for each category and rate of the lines, the lowest rate first.'),
};

const { subtotal, discountTotal, taxTotal, total, taxes: exampleTaxes } = exampleInvoice;

export const exampleCreditNote = {
  id: '019aa5d0-2c00-7c3d-8e4f-1a2b3c4d5e6f',
  number: 'CN-000001',
  invoiceId: sentInvoice.id,
  invoiceNumber: sentInvoice.number,
  clientId: sentInvoice.clientId,
  seller: sentInvoice.seller,
  customer: sentInvoice.customer,
  currency: sentInvoice.currency,
  locale: sentInvoice.locale,
  taxRounding: sentInvoice.taxRounding,
  issueDate: '2026-11-12',
  serviceFrom: sentInvoice.serviceFrom,
  serviceTo: sentInvoice.serviceTo,
  purchaseOrder: sentInvoice.purchaseOrder,
  reason: 'The service was cancelled.',
  lineItems: exampleInvoice.lineItems.map((line) => ({
    ...line,
    id: '019aa5d0-2c00-7d11-9a22-6f5e4d3c2b1a',
    lineItemId: line.id,
  })),
  subtotal,
  discountTotal,
  taxes: exampleTaxes,
  taxTotal,
  total,
  createdAt: '2026-11-12T09:30:00.000Z',
};
