import { describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

const ENTRIES = '/v1/work/tracker/entries';
const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'entry' };

describe('POST /invoices/{id}/void', () => {
  it('voids a sent invoice, which keeps its number and its lines', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana);
    const reply = await ana.post(`/invoices/${sent.id}/void`);
    expect(reply.status).toBe(200);
    const { voidedAt } = reply.body.data;
    expect(reply.body.data).toEqual({ ...sent, status: 'void', amountDue: '0.00', voidedAt, updatedAt: voidedAt });
    expect((await ana.get(`/invoices/${sent.id}`)).body.data).toEqual(reply.body.data);
    expect((await given.sentInvoice(ana)).number).toBe('INV-000002');
  });

  it('frees its entries at once, to be billed again', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const entries: Json[] = [];
    for (let i = 0; i < 3; i++) entries.push(await given.entry(ana, { clientId: client.id, rate: 60 }));
    const sent = await given.sentInvoice(ana, { clientId: client.id, timeEntries });
    await ana.post(`/invoices/${sent.id}/void`);
    expect((await ana.get(ENTRIES)).body.data).toEqual(entries.toReversed());
    const next = await given.invoice(ana, { clientId: client.id, timeEntries });
    expect(next.total).toBe(sent.total);
    expect((await ana.get(ENTRIES)).body.data).toEqual(
      entries.toReversed().map((entry) => ({ ...entry, billingStatus: 'invoiced', invoiceId: next.id })),
    );
    expect((await ana.get(`/invoices/${sent.id}`)).body.data.lineItems).toEqual(sent.lineItems);
  });
});
