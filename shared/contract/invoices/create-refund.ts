import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { examplePayment, payment, paymentBody } from '#shared/contract/invoices/payment.ts';

export const createRefund = defineEndpoint({
  operationId: 'createRefund',
  method: 'POST',
  path: '/invoices/{id}/refunds',
  of: invoice,
  area: 'invoices',
  summary: 'Record a refund of a credited invoice',
  description:
    'The refund is kept among the payments, and can be deleted as these are. Concurrent refunds never exceed what is to be refunded. An invoice has at most 200 payments and refunds.',
  scope: 'invoices:write',
  body: paymentBody('the amount to refund'),
  events: ['payment.created'],
  response: { kind: 'resource', status: 201, schema: payment },
  problems: [
    'invoice_state_forbids',
    'invalid_payment_amount',
    'invalid_payment_date',
    'refund_exceeds_credit',
    'too_many_payments',
  ],
  example: {
    body: { amount: '40.00', date: '2026-11-14', method: 'Bank transfer' },
    response: { ...examplePayment, kind: 'refund', date: '2026-11-14', reference: null },
  },
});
