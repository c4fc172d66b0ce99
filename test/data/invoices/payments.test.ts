import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readPayments, removePayment } from '#shared/data/invoices/payments.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { given } from '#test/support/given.ts';

it('payments are shown on an invoice in the order in which they were recorded', async () => {
  const ana = await given.user();
  const { id } = await given.sentInvoice(ana);
  const ids = [(await given.payment(ana, id)).id, (await given.payment(ana, id)).id];
  const payments = await readPayments(await readInvoice(ana.organization.id, id));
  expect(payments.map((payment) => payment.id)).toEqual(ids);
});

it('a payment that is gone is not taken back, though its invoice looks as before', async () => {
  const ana = await given.user();
  const { id } = await given.sentInvoice(ana);
  const before = await readInvoice(ana.organization.id, id);
  await expect(removePayment(before, before, randomUUID(), [])).rejects.toThrow(ConditionFailed);
  expect(await readInvoice(ana.organization.id, id)).toEqual(before);
});
