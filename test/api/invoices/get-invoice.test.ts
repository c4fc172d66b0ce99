import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /invoices/{id}', () => {
  it('answers the invoice with all its lines, few or many', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    for (const count of [1, 400]) {
      const lineItems = Array.from({ length: count }, (_, i) => ({ name: `Line ${i}`, price: '0.10' }));
      const invoice = await given.invoice(ana, { clientId: client.id, lineItems });
      const reply = await ana.get(`/invoices/${invoice.id.toUpperCase()}`);
      expect(reply.status).toBe(200);
      expect(reply.body.data).toEqual(invoice);
      expect(invoice.lineItems).toHaveLength(count);
    }
  });

  it('keeps its customer when the client changes, and its client id when that is deleted', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Globex' });
    const invoice = await given.sentInvoice(ana, { clientId: client.id });
    await ana.patch(`/clients/${client.id}`, { name: 'Initech' });
    await ana.delete(`/clients/${client.id}`);
    expect((await ana.get(`/invoices/${invoice.id}`)).body.data).toEqual(invoice);
    expect(invoice).toMatchObject({ clientId: client.id, customer: { name: 'Globex' } });
  });
});
