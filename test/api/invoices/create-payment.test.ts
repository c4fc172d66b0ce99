import { describe, expect, it } from 'vitest';
import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import type { Client, Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const shown = async (by: Client, id: string): Promise<Json> => (await by.get(`/invoices/${id}`)).body.data;

const paymentsOf = async (by: Client, id: string): Promise<Json[]> =>
  (await by.get(`/invoices/${id}/payments`)).body.data;

describe('POST /invoices/{id}/payments', () => {
  it('records a payment with all that is told of it, and counts it on the invoice', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana);
    const body = { amount: '20.5', date: '2026-11-19', method: 'm'.repeat(50), reference: 'r'.repeat(200) };
    const reply = await ana.post(`/invoices/${sent.id}/payments`, body);
    expect(reply.status).toBe(201);
    const { id, createdAt } = reply.body.data;
    expect(reply.body.data).toEqual({ id, kind: 'payment', ...body, amount: '20.50', createdAt });
    expect(await paymentsOf(ana, sent.id)).toEqual([reply.body.data]);
    expect(await shown(ana, sent.id)).toEqual({
      ...sent,
      amountPaid: '20.50',
      amountDue: '29.40',
      updatedAt: createdAt,
    });
  });

  it('makes the invoice paid where nothing is left', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana);
    const after = await presentEnd(ana);
    const first = await given.payment(ana, sent.id, { amount: '49.89' });
    expect(await shown(ana, sent.id)).toMatchObject({ status: 'sent', amountDue: '0.01', paidAt: null });
    const more = await ana.post(`/invoices/${sent.id}/payments`, { amount: '0.02' });
    expect(more).toMatchObject({ status: 400, body: { code: 'payment_exceeds_due', errors: [{ path: 'amount' }] } });
    const { id, createdAt } = await given.payment(ana, sent.id, { amount: '0.01' });
    expect(await happenedSince(ana, after)).toEqual([
      ['payment.created', { type: 'payment', id: first.id, invoiceId: sent.id }],
      ['payment.created', { type: 'payment', id, invoiceId: sent.id }],
      ['invoice.paid', { type: 'invoice', id: sent.id }],
    ]);
    expect(await shown(ana, sent.id)).toEqual({
      ...sent,
      status: 'paid',
      amountPaid: '49.90',
      amountDue: '0.00',
      paidAt: createdAt,
      updatedAt: createdAt,
    });
  });

  it('is more than zero', () => {
    for (const amount of ['0', '00.000']) expectBodyRefused(createPayment, { amount }, 'amount', 'range');
  });

  it('never takes more than the total, however many come at once', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ana.post(`/invoices/${id}/payments`, { amount: '4.99' })),
    );
    const codes = replies.map(({ status, body }) => (status === 201 ? 201 : body.code));
    expect(codes.filter((code) => code === 201)).toHaveLength(10);
    expect(codes.filter((code) => code === 'invoice_state_forbids' || code === 'payment_exceeds_due')).toHaveLength(10);
    expect(await shown(ana, id)).toMatchObject({ status: 'paid', amountPaid: '49.90', amountDue: '0.00' });
    expect(await paymentsOf(ana, id)).toHaveLength(10);
  });

  it('keeps the lines of a long invoice', async () => {
    const ana = await given.user();
    const lineItems = Array.from({ length: 100 }, (_, i) => ({ name: `Line ${i}`, price: '1', taxRate: '19' }));
    const sent = await given.sentInvoice(ana, { lineItems, discountPercent: '50' });
    await given.payment(ana, sent.id);
    const after = await shown(ana, sent.id);
    expect(after).toMatchObject({ lineItems: sent.lineItems, taxes: sent.taxes, amountDue: '59.00' });
    const [listed] = (await ana.get('/invoices')).body.data;
    const { lineItems: _, taxes: __, ...head } = after;
    expect(listed).toEqual(head);
  });
});
