import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { sentInvoice } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { freeingWeight } from '#shared/contract/weight.ts';

export const voidInvoice = defineEndpoint({
  operationId: 'voidInvoice',
  method: 'POST',
  path: '/invoices/{id}/void',
  of: invoice,
  area: 'invoices',
  summary: 'Void a sent invoice',
  description:
    'The invoice keeps its number and its lines, and its entries can be billed again at once. Its payments have to be deleted first. One with credit notes cannot be voided: credit the rest.',
  scope: 'invoices:write',
  weight: freeingWeight('void'),
  body: v.object({}),
  bodyOptional: true,
  events: ['invoice.voided'],
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids', 'invoice_has_credit_notes', 'invoice_has_payments'],
  example: {
    body: {},
    response: {
      ...sentInvoice,
      status: 'void',
      amountDue: '0.00',
      updatedAt: '2026-11-10T08:00:00.000Z',
      voidedAt: '2026-11-10T08:00:00.000Z',
    },
  },
});
