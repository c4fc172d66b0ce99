import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('DELETE /invoices/{id}', () => {
  it('removes a draft for good, and leaves no hole in the numbers', async () => {
    const ana = await given.user();
    const { id } = await given.invoice(ana);
    const reply = await ana.delete(`/invoices/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, id });
    for (const again of [await ana.get(`/invoices/${id}`), await ana.delete(`/invoices/${id}`)]) {
      expect(again.status).toBe(404);
    }
    expect((await ana.get('/invoices')).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await given.sentInvoice(ana)).number).toBe('INV-000001');
  });

  it('is never done to an invoice that is sent at the same time', async () => {
    const ana = await given.user();
    for (let round = 0; round < 5; round++) {
      const draft = await given.invoice(ana);
      const [deletion, sending] = await Promise.all([
        ana.delete(`/invoices/${draft.id}`),
        ana.post(`/invoices/${draft.id}/send`),
      ]);
      const isThere = (await ana.get(`/invoices/${draft.id}`)).status === 200;
      expect([deletion.status, sending.status]).toEqual(isThere ? [409, 200] : [200, 404]);
    }
  });
});
