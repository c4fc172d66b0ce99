import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

describe('POST /clients', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the whole client, with null for what was left out', async () => {
    const reply = await ana.post('/clients', { name: 'Northwind Traders' });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Northwind Traders',
      email: null,
      phone: null,
      website: null,
      contact: null,
      addressLine1: null,
      addressLine2: null,
      city: null,
      region: null,
      postalCode: null,
      countryCode: null,
      taxNumber: null,
      vatNumber: null,
      buyerReference: null,
      electronicAddress: null,
      eInvoiceFormat: null,
      currency: null,
      note: null,
      externalId: null,
      metadata: {},
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data.createdAt,
    });
  });

  it('stores currency and country in upper case, whatever case they came in', async () => {
    expect(await given.client(ana, { currency: 'eur', countryCode: 'dE' })).toMatchObject({
      currency: 'EUR',
      countryCode: 'DE',
    });
  });

  it('lets two clients have the same name', async () => {
    const [one, other] = [await given.client(ana, { name: 'Twin' }), await given.client(ana, { name: 'Twin' })];
    expect(one.id).not.toBe(other.id);
  });

  it('ignores members that it does not know', async () => {
    const client = await given.client(ana, { id: 'mine', organizationId: 'mine', surprise: true });
    expect(client).not.toHaveProperty('surprise');
    expect(client.id).not.toBe('mine');
  });

  it.each([
    ['the longest electronicAddress', { electronicAddress: { scheme: '0204', id: '😀'.repeat(100) } }],
    ['eInvoiceFormat', { eInvoiceFormat: 'xrechnung-ubl' }],
    ['nulls', { email: null, website: null, countryCode: null, currency: null, note: null }],
  ])('accepts %s, and gives it back', async (_field, values) => {
    const client = await given.client(ana, values);
    expect(client).toMatchObject(values);
    expect((await ana.get(`/clients/${client.id}`)).body.data).toEqual(client);
  });

  it('takes no longer for a very long e-mail address than for a short one', async () => {
    const reply = await ana.post('/clients', { name: 'x', email: `a@${'.'.repeat(900_000)}` });
    expect(reply.status).toBe(422);
  });

  it('reports every violation at once', async () => {
    const reply = await ana.post('/clients', { name: '', email: 'x', countryCode: 'Germany' });
    expect(reply.body.errors.map(({ path }: Json) => path)).toEqual(['name', 'email', 'countryCode']);
  });

  it('leaves one event, also when it is sent again, and none when it is refused', async () => {
    const after = await presentEnd(ana);
    const sending = { body: { name: 'Northwind Traders' }, headers: { 'idempotency-key': randomUUID() } };
    const [{ body }] = [await ana.send('POST', '/clients', sending), await ana.send('POST', '/clients', sending)];
    await ana.post('/clients', { name: '' });
    expect(await happenedSince(ana, after)).toEqual([['client.created', { type: 'client', id: body.data.id }]]);
  });
});
