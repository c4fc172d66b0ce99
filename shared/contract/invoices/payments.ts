import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { createdAt, date, decimal, limit, offset, text, uuid } from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';

export const payment = v.pipe(
  v.object({
    id: described(uuid, 'The id of the payment.'),
    amount: described(
      decimal,
      'The amount in the currency of the invoice, as a decimal string with all its minor digits.',
    ),
    date: described(date, 'The day of the payment.'),
    method: nullableText('The means of payment, such as `Bank transfer`; null if none was given.'),
    reference: nullableText('The reference of the bank or the customer; null if none was given.'),
    createdAt,
  }),
  v.description('A payment of an invoice.'),
  v.title('Payment'),
);

const amount = v.pipe(
  decimal,
  rule('range', 'an amount of more than zero', { not: { pattern: '^[0.]*$' } }, (input: string) => /[1-9]/.test(input)),
  v.description('At most the amount due, with no more digits after the point than the currency has.'),
);

const createBody = v.pipe(
  v.object({
    amount,
    date: described(v.optional(date), 'The day of the payment; by default today in the zone of the organization.'),
    method: v.optional(v.nullable(text(0, 50)), null),
    reference: v.optional(v.nullable(text(0, 200)), null),
  }),
  explainedBy(payment),
);

const examplePayment = {
  id: '019aa3ac-6400-7d17-b0c4-9e8f7a6b5c4d',
  amount: '40.00',
  date: '2026-12-08',
  method: 'Bank transfer',
  reference: 'RF18 5390 0754 7034',
  createdAt: '2026-12-09T08:00:00.000Z',
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
  problems: ['invoice_state_forbids', 'invalid_payment_amount', 'payment_exceeds_due', 'too_many_payments'],
  access: { writes: ['invoice', 'payment'] },
  example: {
    body: { amount: '40.00', date: '2026-12-08', method: 'Bank transfer', reference: 'RF18 5390 0754 7034' },
    response: examplePayment,
  },
});

export const listPayments = defineEndpoint({
  operationId: 'listPayments',
  method: 'GET',
  path: '/invoices/{id}/payments',
  area: 'invoices',
  summary: 'List the payments of an invoice, newest first',
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
  summary: 'Delete a payment',
  description: 'Its amount is due again, and a paid invoice returns to `sent`.',
  scope: 'invoices:write',
  response: { kind: 'deletion' },
  access: { writes: ['invoice', 'payment'] },
  example: {},
});
