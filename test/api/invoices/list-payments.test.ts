import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /invoices/{id}/payments', () => {
  it('lists the payments of one invoice, newest first, in pages', async () => {
    const ana = await given.user();
    const [{ id }, other] = [await given.sentInvoice(ana), await given.sentInvoice(ana)];
    const payments = [];
    for (const amount of ['1.00', '2.00', '3.00']) payments.unshift(await given.payment(ana, id, { amount }));
    await given.payment(ana, other.id);
    const list = async (query: Record<string, number> = {}) => (await ana.get(`/invoices/${id}/payments`, query)).body;
    expect(await list()).toEqual({ data: payments, meta: { total: 3, limit: 50, offset: 0 } });
    expect(await list({ limit: 1, offset: 1 })).toEqual({
      data: [payments[1]],
      meta: { total: 3, limit: 1, offset: 1 },
    });
    expect(await list({ offset: 3, limit: 100 })).toEqual({ data: [], meta: { total: 3, limit: 100, offset: 3 } });
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['offset', '-1'],
  ])('refuses %s=%s', async (name, value) => {
    const ana = await given.user();
    const { id } = await given.invoice(ana);
    const reply = await ana.get(`/invoices/${id}/payments`, { [name]: value });
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ path: name, code: 'range' }] } });
  });

  it('is empty for an invoice without payments, in any state', async () => {
    const ana = await given.user();
    const { id } = await given.invoice(ana);
    expect((await ana.get(`/invoices/${id}/payments`)).body.data).toEqual([]);
  });
});
