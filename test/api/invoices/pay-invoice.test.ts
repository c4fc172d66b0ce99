import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('POST /invoices/{id}/pay', () => {
  it('marks a sent invoice as paid, with the moment', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana);
    const reply = await ana.post(`/invoices/${sent.id}/pay`);
    expect(reply.status).toBe(200);
    const { paidAt } = reply.body.data;
    expect(reply.body.data).toEqual({ ...sent, status: 'paid', paidAt, updatedAt: paidAt });
    expect((await ana.get(`/invoices/${sent.id}`)).body.data).toEqual(reply.body.data);
  });

  it('answers 409 to a draft, and to one that is paid or void already', async () => {
    const ana = await given.user();
    const ids = [(await given.invoice(ana)).id];
    for (const step of ['pay', 'void']) {
      const { id } = await given.sentInvoice(ana);
      await ana.post(`/invoices/${id}/${step}`);
      ids.push(id);
    }
    for (const id of ids) {
      const before = (await ana.get(`/invoices/${id}`)).body.data;
      const reply = await ana.post(`/invoices/${id}/pay`);
      expect(reply).toMatchObject({ status: 409, body: { code: 'invoice_state_forbids' } });
      expect((await ana.get(`/invoices/${id}`)).body.data).toEqual(before);
    }
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
