import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';

export const deletePayment = defineEndpoint({
  operationId: 'deletePayment',
  method: 'DELETE',
  path: '/invoices/{id}/payments/{paymentId}',
  of: invoice,
  area: 'invoices',
  summary: 'Delete a payment or a refund',
  description:
    'The amount of a payment is due again, and a paid invoice returns to `sent`. The amount of a refund is to be refunded again.',
  scope: 'invoices:write',
  events: ['payment.deleted', 'invoice.reopened', 'invoice.paid'],
  response: { kind: 'deletion' },
  problems: ['payment_refunded'],
  example: {},
});
