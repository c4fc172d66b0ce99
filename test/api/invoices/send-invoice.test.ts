import { describe, expect, it } from 'vitest';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

describe('POST /invoices/{id}/send', () => {
  it('gives a draft the next number of its organization, and the moment', async () => {
    const ana = await given.user();
    for (const number of ['INV-000001', 'INV-000002']) {
      const draft = await given.invoice(ana);
      const reply = await ana.post(`/invoices/${draft.id}/send`);
      expect(reply.status).toBe(200);
      const { sentAt } = reply.body.data;
      expect(reply.body.data).toEqual({ ...draft, status: 'sent', number, sentAt, updatedAt: sentAt });
      expect((await ana.get(`/invoices/${draft.id}`)).body.data).toEqual(reply.body.data);
    }
    expect((await given.sentInvoice(await given.user())).number).toBe('INV-000001');
  });

  it('gives one number, and leaves one event, when thirty ask for it at once', async () => {
    const ana = await given.user();
    const { id } = await given.invoice(ana);
    const after = await presentEnd(ana);
    const replies = await Promise.all(Array.from({ length: 30 }, () => ana.post(`/invoices/${id}/send`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(409)]);
    expect(await happenedSince(ana, after)).toEqual([['invoice.sent', { type: 'invoice', id }]]);
    expect((await given.sentInvoice(ana)).number).toBe('INV-000002');
  });
});
