import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { invoice } from '#shared/contract/invoices/invoice.ts';
import { examplePayment, payment, paymentBody } from '#shared/contract/invoices/payment.ts';

export const createPayment = defineEndpoint({
  operationId: 'createPayment',
  method: 'POST',
  path: '/invoices/{id}/payments',
  of: invoice,
  area: 'invoices',
  summary: 'Record a payment of a sent invoice',
  description:
    'The payment that leaves nothing due makes the invoice `paid`. Concurrent payments never exceed the total. An invoice has at most 100 payments.',
  scope: 'invoices:write',
  body: paymentBody('the amount due'),
  events: ['payment.created', 'invoice.paid'],
  response: { kind: 'resource', status: 201, schema: payment },
  problems: [
    'invoice_state_forbids',
    'invalid_payment_amount',
    'invalid_payment_date',
    'payment_exceeds_due',
    'too_many_payments',
  ],
  example: {
    body: { amount: '40.00', date: '2026-11-08', method: 'Bank transfer', reference: 'RF18 5390 0754 7034' },
    response: examplePayment,
  },
});
