import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import {
  createdAt,
  currency,
  date,
  day,
  decimal,
  figure,
  idInput,
  list,
  searchText,
  trimmedText,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { firstOrLast, paginationEntries } from '#shared/contract/pagination.ts';
import { rule } from '#shared/contract/rule.ts';
import { taxRounding } from '#shared/contract/tax.ts';
import { creditWeight, documentWeight, PDF_WEIGHT, searchableListWeight } from '#shared/contract/weight.ts';
import { MAX_INVOICE_ENTRIES } from '#shared/domain/invoices/invoice.ts';
import { E_INVOICE_PROBLEMS, pdfQuery } from './e-invoices.ts';
import { exampleInvoice, sentInvoice } from './examples.ts';
import { customer, locale, seller, taxes } from './invoice.ts';
import { lineItem } from './lines.ts';

export const creditLine = v.pipe(
  v.object({
    ...lineItem.entries,
    id: described(uuid, 'The id of this line of the credit note.'),
    lineItemId: described(uuid, 'The line of the invoice.'),
    entryIds: described(v.array(uuid), 'The entries that are credited; empty unless the line is tracked time.'),
    quantity: described(figure, 'The credited units; for tracked time, hours. `"1"` of a credit by amount.'),
    price: described(figure, 'The price of one unit, without tax; the whole amount of a credit by amount.'),
    amount: described(figure, 'The credited amount before the discount.'),
    discount: described(figure, "The invoice's `discountPercent` of the amount."),
  }),
  v.description('A line of a credit note. Amounts are positive.'),
  v.title('CreditLineItem'),
);

export const creditNoteHead = v.object({
  id: described(uuid, 'The id of the credit note.'),
  number: described(v.string(), 'The number of the credit note, without gaps: `CN-000001`.'),
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

const creditNoteEntries = {
  ...creditNoteHead.entries,
  lineItems: described(v.array(creditLine), 'The credited lines.'),
  taxes: described(taxes, 'One for each category and rate of the lines, the lowest rate first.'),
};

const creditNote = v.pipe(
  v.object(creditNoteEntries),
  v.description('A correction of an invoice, which never changes. Its amounts are positive.'),
  v.title('CreditNote'),
);

const madeCreditNote = v.pipe(
  v.object({
    ...creditNoteEntries,
    id: nullableText('The id of the credit note; null of a dry run.'),
    number: nullableText('The number of the credit note, without gaps: `CN-000001`. Null of a dry run.'),
  }),
  v.description('A credit note, or what it would be.'),
  v.title('MadeCreditNote'),
);

const listedCreditNote = v.pipe(
  v.object({
    ...creditNoteEntries,
    lineItems: described(
      v.optional(v.array(creditLine)),
      'The credited lines, left out if they take more than 8 KB: get the credit note to see them.',
    ),
    taxes: described(
      v.optional(taxes),
      'One for each category and rate of the lines, the lowest rate first. Left out together with the lines.',
    ),
  }),
  v.description('A credit note as a list shows it: without its lines if they are many.'),
  v.title('ListedCreditNote'),
);

const lineFields = v.object({
  lineItemId: described(idInput, 'A line of the invoice.'),
  quantity: described(v.optional(decimal), 'The units to credit, at most those that are left.'),
  amount: described(v.optional(decimal), 'The amount to credit, before the discount, at most what is left.'),
  entryIds: described(
    v.optional(v.pipe(list(idInput, MAX_INVOICE_ENTRIES), v.minLength(1))),
    'Entries to credit of a line of tracked time.',
  ),
});

type LineFields = v.InferOutput<typeof lineFields>;

const lineInput = v.pipe(
  lineFields,
  rule(
    'exclusive',
    'one of "quantity", "amount" and "entryIds"',
    {},
    ({ quantity, amount: ofLine, entryIds }: LineFields) =>
      [quantity, ofLine, entryIds].filter((given) => given !== undefined).length <= 1,
    'quantity',
  ),
  rule(
    'unique',
    'no entry twice',
    {},
    ({ entryIds = [] }: LineFields) => new Set(entryIds).size === entryIds.length,
    'entryIds',
  ),
  v.description('A line to credit by one of its members; without these, all that is left of it.'),
  v.title('CreditLineInput'),
);

const createBody = v.pipe(
  v.object({
    reason: trimmedText(500),
    lines: described(
      v.optional(
        v.pipe(
          list(lineInput, MAX_INVOICE_ENTRIES),
          v.minLength(1),
          rule('unique', 'no line twice', {}, (lines: LineFields[]) => {
            return new Set(lines.map(({ lineItemId }) => lineItemId)).size === lines.length;
          }),
        ),
      ),
      'The lines to credit; by default all that is left of the invoice.',
    ),
    issueDate: described(
      v.optional(date),
      'The day of the credit note, not before that of the invoice; by default today in the zone of the organization, or that of the invoice if it is later.',
    ),
    releaseEntries: described(
      v.optional(v.boolean(), true),
      'Whether the credited entries can be billed again. False: they stay `invoiced` for good.',
    ),
  }),
  explainedBy(creditNoteHead),
);

const { subtotal, discountTotal, taxTotal, total, taxes: exampleTaxes } = exampleInvoice;

const exampleCreditNote = {
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

export const createCreditNote = defineEndpoint({
  operationId: 'createCreditNote',
  method: 'POST',
  path: '/invoices/{id}/credit-notes',
  area: 'invoices',
  summary: 'Credit a sent invoice, or lines of it',
  description: [
    'An invoice that was sent is corrected by credit notes. These have numbers of their own, and never change. The credits of an invoice cancel it to the minor unit, however it is split: each figure is the rounded one of all credits, less what was credited before.',
    'A line is credited by quantity or by amount, and in the end by its rest; tracked time by whole entries, which can be billed again at once. An invoice of which nothing is left is `credited`. A payment beyond the rest is to be refunded.',
    'An invoice has at most 100 credit notes. If its `customer` takes e-invoices (`eInvoiceFormat`), a credit note that cannot be one in this format is refused, with all faults, and gets no number.',
  ].join('\n\n'),
  scope: 'invoices:write',
  weight: creditWeight,
  query: v.object({
    dryRun: described(v.optional(v.boolean(), false), 'True answers the credit note with 200, and writes nothing.'),
  }),
  body: createBody,
  response: { kind: 'rehearsable', schema: madeCreditNote },
  problems: [
    'reference_not_found',
    'credit_exceeds_line',
    'invalid_credit_amount',
    'invalid_credit_date',
    'invalid_issue_date',
    'issue_date_before_last',
    'too_many_credit_notes',
    'invoice_state_forbids',
    'e_invoice_incomplete',
  ],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { body: { reason: 'The service was cancelled.' }, response: exampleCreditNote },
});

export const listCreditNotes = defineEndpoint({
  operationId: 'listCreditNotes',
  method: 'GET',
  path: '/credit-notes',
  area: 'invoices',
  summary: 'List credit notes, newest first',
  description:
    'The order by `total` ignores currencies. A credit note that was just created may take a moment to appear in its place, except by `createdAt`.',
  scope: 'invoices:read',
  weight: searchableListWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'issueDate', 'number', 'total']),
      q: v.optional(
        searchText(
          "Part of the number, that of the invoice, the customer's name or the reason, in any case.",
          0,
          255,
          'CN-000001',
        ),
      ),
      clientId: described(v.optional(idInput), 'Only credit notes of this client.'),
      invoiceId: described(v.optional(idInput), 'Only credit notes of this invoice.'),
      issueFrom: v.optional(day('Issued on this day or later.', '2026-11-01')),
      issueTo: v.optional(day('Issued on this day or earlier.', '2026-11-30')),
    }),
    firstOrLast(),
  ),
  response: { kind: 'listOrCursorPage', item: listedCreditNote },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleCreditNote },
});

export const getCreditNote = defineEndpoint({
  operationId: 'getCreditNote',
  method: 'GET',
  path: '/credit-notes/{id}',
  area: 'invoices',
  summary: 'Get a credit note',
  scope: 'invoices:read',
  weight: documentWeight,
  response: { kind: 'resource', status: 200, schema: creditNote },
  example: { response: exampleCreditNote },
});

export const getCreditNotePdf = defineEndpoint({
  operationId: 'getCreditNotePdf',
  method: 'GET',
  path: '/credit-notes/{id}/pdf',
  area: 'invoices',
  summary: 'Get a credit note as a PDF',
  description:
    'It names the invoice that it corrects, with its date. `profile=factur-x` gives a PDF/A-3 that contains the e-invoice.',
  scope: 'invoices:read',
  weight: PDF_WEIGHT,
  query: pdfQuery,
  response: { kind: 'raw', contentTypes: ['application/pdf'] },
  problems: E_INVOICE_PROBLEMS,
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  ownConcurrency: 20,
  example: {},
});
