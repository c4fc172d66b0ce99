import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { sentInvoice } from '#shared/contract/invoices/examples.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { payingWeight } from '#shared/contract/weight.ts';

export const payInvoice = defineEndpoint({
  operationId: 'payInvoice',
  method: 'POST',
  path: '/invoices/{id}/pay',
  of: invoice,
  area: 'invoices',
  summary: 'Pay the rest of a sent invoice',
  description:
    'Records one payment of the amount due, with the date of today, or none if nothing is due. Either way the invoice is then `paid`.',
  scope: 'invoices:write',
  weight: payingWeight,
  body: v.object({}),
  bodyOptional: true,
  events: ['payment.created', 'invoice.paid'],
  response: { kind: 'resource', status: 200, schema: invoice },
  problems: ['invoice_state_forbids', 'too_many_payments'],
  example: {
    body: {},
    response: {
      ...sentInvoice,
      status: 'paid',
      amountPaid: '106.89',
      amountDue: '0.00',
      updatedAt: '2026-11-10T08:00:00.000Z',
      paidAt: '2026-11-10T08:00:00.000Z',
    },
  },
});
