import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { updateBody } from '#shared/contract/invoices/bodies.ts';
import { exampleInvoice } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { changedInvoiceWeight } from '#shared/contract/weight.ts';

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
