import { expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

it('GET /invoices/{id}/payments lists those of one invoice, which may have none', async () => {
  const ana = await given.user();
  const [one, other] = [await given.sentInvoice(ana), await given.invoice(ana)];
  const payment = await given.payment(ana, one.id);
  expect((await ana.get(`/invoices/${one.id}/payments`)).body.data).toEqual([payment]);
  expect((await ana.get(`/invoices/${other.id}/payments`)).body.data).toEqual([]);
});
