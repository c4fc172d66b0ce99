import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { freeingWeight } from '#shared/contract/weight.ts';

export const deleteInvoice = defineEndpoint({
  operationId: 'deleteInvoice',
  method: 'DELETE',
  path: '/invoices/{id}',
  of: invoice,
  area: 'invoices',
  summary: 'Delete a draft invoice for good',
  description: 'Its entries can be billed again at once.',
  scope: 'invoices:write',
  weight: freeingWeight('delete'),
  events: ['invoice.deleted'],
  response: { kind: 'deletion' },
  problems: ['invoice_state_forbids'],
  example: {},
});
