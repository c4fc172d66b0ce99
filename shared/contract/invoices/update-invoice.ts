import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { EXTERNAL_ID_TAKEN } from '#shared/contract/external-id.ts';
import { BODY_PROBLEMS, updateBody } from '#shared/contract/invoices/bodies.ts';
import { exampleInvoice } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { changedInvoiceWeight } from '#shared/contract/weight.ts';

export const updateInvoice = defineEndpoint({
  operationId: 'updateInvoice',
  method: 'PATCH',
  path: '/invoices/{id}',
  area: 'invoices',
  summary: 'Change an invoice',
  description: [
    'Only the members that are sent change. `externalId` and `metadata` can be changed in any status, and `paymentUrl` of a sent invoice; other members in a draft alone. An empty body changes nothing, even if the invoice is final.',
    '`lineItems` replaces all lines, and accepts them as they were answered. A line of tracked time stays if its `entryIds` are sent again. Entries that are on no line any more can be billed again. A line of a product takes omitted values from the product as it is now.',
  ].join('\n\n'),
  scope: 'invoices:write',
  weight: changedInvoiceWeight,
  body: updateBody,
  bodyTakesAnyNames: true,
  events: ['invoice.updated'],
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: [...BODY_PROBLEMS, 'invoice_state_forbids'],
  problemMembers: EXTERNAL_ID_TAKEN,
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { body: { dueDate: '2026-11-30' }, response: { ...exampleInvoice, dueDate: '2026-11-30' } },
});
