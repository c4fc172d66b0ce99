import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

describe('GET /invoices', () => {
  let ana: User;
  let globex: Json;
  let initech: Json;

  beforeAll(async () => {
    ana = await given.user();
    globex = await given.client(ana, { name: 'Globex' });
    initech = await given.client(ana, { name: 'ÄPFEL & Co' });
    await given.invoice(ana, { clientId: globex.id, notes: 'Spring cleaning' });
    await given.sentInvoice(ana, { clientId: initech.id });
    const paid = await given.sentInvoice(ana, { clientId: globex.id });
    const annulled = await given.sentInvoice(ana, { clientId: initech.id, notes: 'spring' });
    await ana.post(`/invoices/${paid.id}/pay`);
    await ana.post(`/invoices/${annulled.id}/void`);
  });

  const list = async (query: Sending['query'] = {}) => (await ana.get('/invoices', query)).body;

  const numbers = async (query: Sending['query']) => (await list(query)).data.map(({ number }: Json) => number);

  it('finds a part of the number, the customer or the notes in any case, and of nothing else', async () => {
    expect(await numbers({ q: 'inv-000002' })).toEqual(['INV-000002']);
    expect(await numbers({ q: 'äpfel' })).toEqual(['INV-000003', 'INV-000001']);
    expect(await numbers({ q: 'SPRING' })).toEqual(['INV-000003', null]);
    expect(await numbers({ q: 'Hosting' })).toEqual([]);
    expect(await numbers({ q: '' })).toHaveLength(4);
  });

  it('filters by status and client, and by both with q', async () => {
    expect(await numbers({ status: 'void,sent' })).toEqual(['INV-000003', 'INV-000001']);
    expect(await numbers({ status: 'paid,sent,paid' })).toEqual(['INV-000002', 'INV-000001']);
    for (const status of ['', ',', 'sent,', 'sent, paid', 'Sent', 'overdue', 'sent,overdue']) {
      expect(await list({ status }), status).toMatchObject({ status: 422, errors: [{ path: 'status', code: 'enum' }] });
    }
    expect(await numbers({ clientId: globex.id })).toEqual(['INV-000002', null]);
    expect(await numbers({ clientId: initech.id.toUpperCase(), status: 'void', q: 'spring' })).toEqual(['INV-000003']);
    expect(await numbers({ clientId: globex.id, status: 'void' })).toEqual([]);
    expect(await numbers({ clientId: randomUUID() })).toEqual([]);
    expect((await list({ clientId: globex.id, limit: 1, offset: 1 })).meta).toEqual({ total: 2, limit: 1, offset: 1 });
  });

  it.each(['due', 'issue'])('answers 400 to a range of %s dates that is upside down', async (dates) => {
    const range = { [`${dates}From`]: '2026-11-02', [`${dates}To`]: '2026-11-01' };
    const errors = [{ path: `${dates}From`, code: 'invalid_date_range' }];
    const refused = { status: 400, body: { code: 'invalid_date_range', errors } };
    expect(await ana.get('/invoices', range)).toMatchObject(refused);
    expect((await ana.get('/invoices', { ...range, [`${dates}To`]: '2026-11-02' })).status).toBe(200);
  });
});
