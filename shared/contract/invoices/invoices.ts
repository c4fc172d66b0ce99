import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { count, day, idInput, searchText } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { firstOrLast, paginationEntries } from '#shared/contract/pagination.ts';
import {
  changedInvoiceWeight,
  documentWeight,
  freeingWeight,
  newInvoiceWeight,
  PDF_WEIGHT,
  searchableListWeight,
} from '#shared/contract/weight.ts';
import { createBody, updateBody } from './bodies.ts';
import { E_INVOICE_PROBLEMS, pdfQuery } from './e-invoices.ts';
import { exampleBody, exampleInvoice, exampleTimeBody } from './examples.ts';
import { invoice, listedInvoice, status } from './invoice.ts';

const skipped = v.pipe(
  v.object({
    notBillable: described(count, 'Entries that are not billable.'),
    noRate: described(count, 'Billable entries without a rate.'),
    otherCurrency: described(
      count,
      'Billable entries in another currency; with more than 500 entries on their days, also those without a rate.',
    ),
    invoiced: described(count, 'Entries that are on an invoice.'),
  }),
  v.description("The numbers of the client's entries in the wanted days that were left out, each by the first reason."),
  v.title('SkippedEntries'),
);

const exampleSkipped = { notBillable: 2, noRate: 1, otherCurrency: 0, invoiced: 0 };

export const createInvoice = defineEndpoint({
  operationId: 'createInvoice',
  method: 'POST',
  path: '/invoices',
  area: 'invoices',
  summary: 'Create a draft invoice',
  description: [
    'Bills the lines of `lineItems`, the tracked time of `timeEntries`, or both. The client, products (at most 80 different ones) and tracked time are copied.',
    'An entry is on one invoice at most. Meanwhile it is `invoiced` and refuses changes. Voiding the invoice, or deleting the draft, frees it.',
    'One of several concurrent requests for the same time gets it; the others bill the rest, or answer `invoice_empty` if nothing is left. If the first one takes too long, they answer `invoicing_in_progress` with `Retry-After`.',
  ].join('\n\n'),
  scope: 'invoices:write',
  weight: newInvoiceWeight,
  body: createBody,
  response: { kind: 'resource', status: 201, schema: invoice },
  problems: [
    'reference_not_found',
    'currency_mismatch',
    'entry_not_billable',
    'entry_invoiced',
    'tracked_time_fixed',
    'tax_category_mismatch',
    'invalid_date_range',
    'invoice_empty',
    'invoice_too_large',
    'billing_too_large',
    'invoice_total_too_large',
    'invoicing_in_progress',
  ],
  problemMembers: { invoice_empty: { skipped: { schema: skipped, example: exampleSkipped } } },
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {
    body: exampleBody,
    otherBodies: { timeEntries: { summary: 'Bill tracked time', value: exampleTimeBody } },
    response: exampleInvoice,
  },
});

export const listInvoices = defineEndpoint({
  operationId: 'listInvoices',
  method: 'GET',
  path: '/invoices',
  area: 'invoices',
  summary: 'List invoices, newest first',
  description:
    'Drafts count as the newest by `number`, and invoices without a due date as the latest by `dueDate`. The order by `total` ignores currencies. An invoice that was just created or changed may take a moment to appear in its place, except by `createdAt`.',
  scope: 'invoices:read',
  weight: searchableListWeight,
  query: v.pipe(
    v.object({
      ...paginationEntries(['createdAt', 'issueDate', 'dueDate', 'number', 'total']),
      q: v.optional(
        searchText("Part of the number, the customer's name or the notes, in any case.", 0, 255, 'INV-000001'),
      ),
      status: described(v.optional(status), 'Only invoices in this status.'),
      clientId: described(v.optional(idInput), 'Only invoices of this client.'),
      overdue: described(
        v.optional(v.boolean()),
        'True: only invoices that are sent and due before today in the zone of the organization. False: only others.',
      ),
      dueFrom: v.optional(day('Due on this day or later.', '2026-11-01')),
      dueTo: v.optional(day('Due on this day or earlier.', '2026-11-30')),
      issueFrom: v.optional(day('Issued on this day or later.', '2026-10-01')),
      issueTo: v.optional(day('Issued on this day or earlier.', '2026-10-30')),
    }),
    firstOrLast(),
  ),
  response: { kind: 'listOrCursorPage', item: listedInvoice },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleInvoice },
});

export const getInvoice = defineEndpoint({
  operationId: 'getInvoice',
  method: 'GET',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Get an invoice',
  scope: 'invoices:read',
  weight: documentWeight,
  response: { kind: 'resource', status: 200, schema: invoice },
  example: { response: exampleInvoice },
});

export const updateInvoice = defineEndpoint({
  operationId: 'updateInvoice',
  method: 'PATCH',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Change a draft invoice',
  description: [
    'Only the members that are sent change. An empty body changes nothing, even if the invoice is final.',
    '`lineItems` replaces all lines, and accepts them as they were answered. A line of tracked time stays if its `entryIds` are sent again. Entries that are on no line any more can be billed again. A line of a product takes omitted values from the product as it is now.',
  ].join('\n\n'),
  scope: 'invoices:write',
  weight: changedInvoiceWeight,
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: [
    'reference_not_found',
    'currency_mismatch',
    'entry_not_billable',
    'entry_invoiced',
    'tracked_time_fixed',
    'tax_category_mismatch',
    'invalid_date_range',
    'invoice_too_large',
    'billing_too_large',
    'invoice_total_too_large',
    'invoice_state_forbids',
    'invoicing_in_progress',
  ],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { body: { dueDate: '2026-11-30' }, response: { ...exampleInvoice, dueDate: '2026-11-30' } },
});

export const deleteInvoice = defineEndpoint({
  operationId: 'deleteInvoice',
  method: 'DELETE',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Delete a draft invoice for good',
  description: 'Its entries can be billed again at once.',
  scope: 'invoices:write',
  weight: freeingWeight('delete'),
  response: { kind: 'deletion', of: invoice },
  problems: ['invoice_state_forbids'],
  example: {},
});

export const getInvoicePdf = defineEndpoint({
  operationId: 'getInvoicePdf',
  method: 'GET',
  path: '/invoices/{id}/pdf',
  area: 'invoices',
  summary: 'Get an invoice as a PDF',
  description:
    'An invoice in any state has a PDF; drafts and void invoices are marked. `profile=factur-x` gives the invoice as it was sent, without payments and credits: a PDF/A-3 that contains the e-invoice with the same figures.',
  scope: 'invoices:read',
  weight: PDF_WEIGHT,
  query: pdfQuery,
  response: { kind: 'raw', contentTypes: ['application/pdf'] },
  problems: ['invoice_state_forbids', ...E_INVOICE_PROBLEMS],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  ownConcurrency: 20,
  example: {},
});
