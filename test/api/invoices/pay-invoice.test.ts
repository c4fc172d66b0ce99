import { describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

describe('POST /invoices/{id}/pay', () => {
  it('records one payment of the rest, after which the invoice is paid, with the moment', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana);
    const reply = await ana.post(`/invoices/${sent.id}/pay`);
    expect(reply.status).toBe(200);
    const { paidAt } = reply.body.data;
    const paid = { ...sent, status: 'paid', amountPaid: '49.90', amountDue: '0.00', paidAt, updatedAt: paidAt };
    expect(reply.body.data).toEqual(paid);
    const payments = (await ana.get(`/invoices/${sent.id}/payments`)).body.data;
    const date = paidAt.slice(0, 10);
    expect(payments).toEqual([
      {
        id: expect.any(String),
        kind: 'payment',
        amount: '49.90',
        date,
        method: null,
        reference: null,
        createdAt: paidAt,
      },
    ]);
    expect((await ana.get(`/invoices/${sent.id}`)).body.data).toEqual(reply.body.data);
  });

  it('pays only what payments have left, and records none of an invoice with nothing due', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    await given.payment(ana, id, { amount: '49.89' });
    const after = await presentEnd(ana);
    expect((await ana.post(`/invoices/${id}/pay`)).body.data).toMatchObject({ status: 'paid', amountPaid: '49.90' });
    const payments = (await ana.get(`/invoices/${id}/payments`)).body.data;
    expect(payments.map(({ amount }: Json) => amount)).toEqual(['0.01', '49.89']);
    expect(await happenedSince(ana, after)).toEqual([
      ['payment.created', { type: 'payment', id: payments[0].id, invoiceId: id }],
      ['invoice.paid', { type: 'invoice', id }],
    ]);
    const free = await given.sentInvoice(ana, { discountPercent: '100' });
    const beforeFree = await presentEnd(ana);
    const paid = (await ana.post(`/invoices/${free.id}/pay`)).body.data;
    expect(await happenedSince(ana, beforeFree)).toEqual([['invoice.paid', { type: 'invoice', id: free.id }]]);
    expect(paid).toMatchObject({ status: 'paid', total: '0.00', amountPaid: '0.00', paidAt: expect.any(String) });
    expect((await ana.get(`/invoices/${free.id}/payments`)).body.data).toEqual([]);
  });

  it('lets one of many requests to pay and to void it win', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    const steps = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'pay' : 'void'));
    const replies = await Promise.all(steps.map((step) => ana.post(`/invoices/${id}/${step}`)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect((await ana.get(`/invoices/${id}`)).body.data).toEqual(won[0]?.body.data);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});
