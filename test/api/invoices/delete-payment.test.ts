import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

describe('DELETE /invoices/{id}/payments/{paymentId}', () => {
  it('takes a payment back, and makes a paid invoice sent again', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana);
    const first = await given.payment(ana, sent.id, { amount: '40' });
    const second = await given.payment(ana, sent.id, { amount: '9.90' });
    const path = `/invoices/${sent.id}`;
    expect((await ana.get(path)).body.data.status).toBe('paid');
    const end = await presentEnd(ana);
    const reply = await ana.delete(`${path}/payments/${first.id}`);
    expect(reply).toMatchObject({ status: 200, body: { success: true, id: first.id } });
    const after = (await ana.get(path)).body.data;
    expect(after).toEqual({ ...sent, amountPaid: '9.90', amountDue: '40.00', updatedAt: after.updatedAt });
    expect((await ana.get(`${path}/payments`)).body.data).toEqual([second]);
    await ana.delete(`${path}/payments/${second.id}`);
    expect((await ana.get(path)).body.data).toMatchObject({ status: 'sent', amountPaid: '0.00', amountDue: '49.90' });
    expect(await happenedSince(ana, end)).toEqual([
      ['payment.deleted', { type: 'payment', id: first.id, invoiceId: sent.id }],
      ['invoice.reopened', { type: 'invoice', id: sent.id }],
      ['payment.deleted', { type: 'payment', id: second.id, invoiceId: sent.id }],
    ]);
  });

  it('makes an invoice paid again where a refund is taken back, and what was paid is enough without it', async () => {
    const ana = await given.user();
    const { id, lineItems } = await given.sentInvoice(ana, { lineItems: [{ name: 'A', price: '100' }] });
    const small = await given.payment(ana, id, { amount: '30' });
    await given.payment(ana, id, { amount: '70' });
    await given.creditNote(ana, id, { lines: [{ lineItemId: lineItems[0].id, amount: '40' }] });
    const after = await presentEnd(ana);
    const refund = (await ana.post(`/invoices/${id}/refunds`, { amount: '20' })).body.data;
    for (const payment of [small, refund]) await ana.delete(`/invoices/${id}/payments/${payment.id}`);
    expect((await ana.get(`/invoices/${id}`)).body.data).toMatchObject({ status: 'paid', amountToRefund: '10.00' });
    expect(await happenedSince(ana, after)).toEqual([
      ['payment.created', { type: 'payment', id: refund.id, invoiceId: id }],
      ['payment.deleted', { type: 'payment', id: small.id, invoiceId: id }],
      ['invoice.reopened', { type: 'invoice', id }],
      ['payment.deleted', { type: 'payment', id: refund.id, invoiceId: id }],
      ['invoice.paid', { type: 'invoice', id }],
    ]);
  });

  it('lets one of many requests take a payment back, and the others find nothing', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    const payment = await given.payment(ana, id, { amount: '2.00' });
    await given.payment(ana, id, { amount: '3.00' });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ana.delete(`/invoices/${id}/payments/${payment.id}`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect((await ana.get(`/invoices/${id}`)).body.data.amountPaid).toBe('3.00');
  });

  it('finds no payment of another invoice or organization, and takes none back', async () => {
    const [ana, eve] = [await given.user(), await given.user()];
    const [mine, other, hers] = [
      await given.sentInvoice(ana),
      await given.sentInvoice(ana),
      await given.sentInvoice(eve),
    ];
    const payment = await given.payment(ana, mine.id);
    for (const [by, invoice, id] of [
      [ana, other, payment.id],
      [ana, mine, randomUUID()],
      [ana, mine, 'x'],
      [eve, mine, payment.id],
      [eve, hers, payment.id],
    ] as const) {
      expect((await by.delete(`/invoices/${invoice.id}/payments/${id}`)).status).toBe(404);
    }
    expect((await ana.get(`/invoices/${mine.id}`)).body.data.amountPaid).toBe('1.00');
  });
});
