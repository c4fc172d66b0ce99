import * as v from 'valibot';
import { createdAt, date, decimal, figure, text, uuid } from '#shared/contract/fields.ts';
import { component, described, explained, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { PAYMENT_KINDS } from '#shared/domain/invoices/invoice.ts';

export const payment = component('Payment', 'A payment of an invoice, or a refund of it.', {
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
});

const positiveAmount = v.pipe(
  decimal,
  rule('range', 'an amount of more than zero', { not: { pattern: '^[0.]*$' } }, (input: string) => /[1-9]/.test(input)),
);

/** @param limit of the amount, in words */
export function paymentBody(limit: string) {
  return explained(payment, {
    amount: described(positiveAmount, `At most ${limit}, with no more digits after the point than the currency has.`),
    date: described(v.optional(date), 'The day of the payment; by default today in the zone of the organization.'),
    method: v.optional(v.nullable(text(0, 50)), null),
    reference: v.optional(v.nullable(text(0, 200)), null),
  });
}

export const examplePayment = {
  id: '019aa3ac-6400-7d17-b0c4-9e8f7a6b5c4d',
  kind: 'payment',
  amount: '40.00',
  date: '2026-11-08',
  method: 'Bank transfer',
  reference: 'RF18 5390 0754 7034',
  createdAt: '2026-11-09T08:00:00.000Z',
};
