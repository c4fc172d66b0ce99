import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { INVOICE_STEPS, type InvoiceStep } from '#shared/domain/invoices/steps.ts';
import type { Client, Reply } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** Each operation asks the table of the domain: a void invoice takes no step. `test/domain/invoices` has all states. */

const TAKE: Readonly<Record<InvoiceStep, (by: Client, path: string) => Promise<Reply>>> = {
  change: (by, path) => by.patch(path, { notes: 'Thanks' }),
  changePaymentUrl: (by, path) => by.patch(path, { paymentUrl: 'https://pay.example/1' }),
  delete: (by, path) => by.delete(path),
  send: (by, path) => by.post(`${path}/send`),
  recordPayment: (by, path) => by.post(`${path}/payments`, { amount: '1.00' }),
  pay: (by, path) => by.post(`${path}/pay`),
  takePaymentBack: (by, path) => by.delete(`${path}/payments/${randomUUID()}`),
  refund: (by, path) => by.post(`${path}/refunds`, { amount: '1.00' }),
  credit: (by, path) => by.post(`${path}/credit-notes`, { reason: 'Cancelled' }),
  void: (by, path) => by.post(`${path}/void`),
  makeEInvoice: (by, path) => by.get(`${path}/e-invoice`, { format: 'xrechnung-ubl' }),
  checkEInvoice: (by, path) => by.get(`${path}/e-invoice/check`, { format: 'xrechnung-ubl' }),
};

it.each(INVOICE_STEPS)('a void invoice does not take the step %s, and stays as it is', async (step) => {
  const ana = await given.user();
  const { id } = await given.eInvoice(ana);
  const path = `/invoices/${id}`;
  const before = (await ana.post(`${path}/void`)).body.data;
  const { status, body } = await TAKE[step](ana, path);
  // It has no payment to take back.
  const refusal = step === 'takePaymentBack' ? [404, 'not_found'] : [409, 'invoice_state_forbids'];
  expect([status, body.code]).toEqual(refusal);
  expect((await ana.get(path)).body.data).toEqual(before);
});
