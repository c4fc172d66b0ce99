import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { createdAt, date, decimal, figure, limit, offset, text, uuid } from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { PAYMENT_KINDS } from '#shared/domain/invoices/invoice.ts';

export const payment = v.pipe(
  v.object({
    id: described(uuid, 'The id of the payment.'),
    kind: described(v.picklist(PAYMENT_KINDS), 'A refund goes back to the customer, and counts against `amountPaid`.'),
    amount: described(
      figure,
      'The amount in the currency of the invoice, as a decimal string with all its minor digits; positive, also of a refund.',
    ),
    date: described(date, 'The day of the payment.'),
    method: nullableText('The means of payment, such as `Bank transfer`; null if none was given.'),
    reference: nullableText('The reference of the bank or the customer; null if none was given.'),
    createdAt,
  }),
  v.description('A payment of an invoice, or a refund of it.'),
  v.title('Payment'),
);

const positive = v.pipe(
  decimal,
  rule('range', 'an amount of more than zero', { not: { pattern: '^[0.]*$' } }, (input: string) => /[1-9]/.test(input)),
);

const details = {
  date: described(v.optional(date), 'The day of the payment; by default today in the zone of the organization.'),
  method: v.optional(v.nullable(text(0, 50)), null),
  reference: v.optional(v.nullable(text(0, 200)), null),
};

const createBody = v.pipe(
  v.object({
    amount: described(positive, 'At most the amount due, with no more digits after the point than the currency has.'),
    ...details,
  }),
  explainedBy(payment),
);

const refundBody = v.pipe(
  v.object({
    amount: described(
      positive,
      'At most the amount to refund, with no more digits after the point than the currency has.',
    ),
    ...details,
  }),
  explainedBy(payment),
);

const examplePayment = {
  id: '019aa3ac-6400-7d17-b0c4-9e8f7a6b5c4d',
  kind: 'payment',
  amount: '40.00',
  date: '2026-11-08',
  method: 'Bank transfer',
  reference: 'RF18 5390 0754 7034',
  createdAt: '2026-11-09T08:00:00.000Z',
};

export const createPayment = defineEndpoint({
  operationId: 'createPayment',
  method: 'POST',
  path: '/invoices/{id}/payments',
  area: 'invoices',
  summary: 'Record a payment of a sent invoice',
  description:
    'The payment that leaves nothing due makes the invoice `paid`. Concurrent payments never exceed the total. An invoice has at most 100 payments.',
  scope: 'invoices:write',
  body: createBody,
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

export const createRefund = defineEndpoint({
  operationId: 'createRefund',
  method: 'POST',
  path: '/invoices/{id}/refunds',
  area: 'invoices',
  summary: 'Record a refund of a credited invoice',
  description:
    'The refund is kept among the payments, and can be deleted as these are. Concurrent refunds never exceed what is to be refunded. An invoice has at most 200 payments and refunds.',
  scope: 'invoices:write',
  body: refundBody,
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

export const listPayments = defineEndpoint({
  operationId: 'listPayments',
  method: 'GET',
  path: '/invoices/{id}/payments',
  area: 'invoices',
  summary: 'List the payments and refunds of an invoice, newest first',
  scope: 'invoices:read',
  query: v.object({ limit: limit(100, 50), offset }),
  response: { kind: 'list', item: payment },
  example: { response: examplePayment },
});

export const deletePayment = defineEndpoint({
  operationId: 'deletePayment',
  method: 'DELETE',
  path: '/invoices/{id}/payments/{paymentId}',
  area: 'invoices',
  summary: 'Delete a payment or a refund',
  description:
    'The amount of a payment is due again, and a paid invoice returns to `sent`. The amount of a refund is to be refunded again.',
  scope: 'invoices:write',
  response: { kind: 'deletion' },
  problems: ['payment_refunded'],
  example: {},
});
