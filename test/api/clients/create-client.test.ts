import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#shared/contract/clients/create-client.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

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
    ['international email', { email: 'jürgen+rechnung@müller.example' }],
    ['plain website', { website: 'HTTP://EXAMPLE.com:8080/?a=b#c' }],
    ['the longest electronicAddress', { electronicAddress: { scheme: '0204', id: '😀'.repeat(100) } }],
    ['electronicAddress of mail', { electronicAddress: { scheme: 'EM', id: 'x' } }],
    ['eInvoiceFormat', { eInvoiceFormat: 'xrechnung-ubl' }],
    ['nulls', { email: null, website: null, countryCode: null, currency: null, note: null }],
  ])('accepts %s, and gives it back', async (_field, values) => {
    const client = await given.client(ana, values);
    expect(client).toMatchObject(values);
    expect((await ana.get(`/clients/${client.id}`)).body.data).toEqual(client);
  });

  it.each([
    ['name', { name: '' }, 'length'],
    ['email', { email: 'nobody' }, 'email'],
    ['email', { email: 'a@b' }, 'email'],
    ['email', { email: 'a@@example.com' }, 'email'],
    ['email', { email: 'a b@example.com' }, 'email'],
    ['email', { email: 'a@example..com' }, 'email'],
    ['email', { email: '' }, 'email'],
    ['website', { website: 'example.com' }, 'url'],
    ['website', { website: 'javascript:alert(1)' }, 'url'],
    ['website', { website: 'https://' }, 'url'],
    ['website', { website: 'https://a b.example' }, 'url'],
    ['countryCode', { countryCode: 'XX' }, 'country'],
    ['countryCode', { countryCode: 'DEU' }, 'country'],
    ['countryCode', { countryCode: '' }, 'country'],
    ['vatNumber', { vatNumber: '' }, 'length'],
    ['buyerReference', { buyerReference: '' }, 'length'],
    ['electronicAddress', { electronicAddress: 'EM:ada@example.com' }, 'type'],
    ['electronicAddress.scheme', { electronicAddress: { id: 'x' } }, 'required'],
    ['electronicAddress.id', { electronicAddress: { scheme: 'EM' } }, 'required'],
    ['electronicAddress.id', { electronicAddress: { scheme: 'EM', id: '' } }, 'length'],
    ['electronicAddress.id', { electronicAddress: { scheme: 'EM', id: 'x'.repeat(101) } }, 'length'],
    ['eInvoiceFormat', { eInvoiceFormat: 'xrechnung' }, 'enum'],
    ['currency', { currency: 'AAA' }, 'currency'],
  ])('refuses a wrong %s: %o', (path, values, code) => {
    expectBodyRefused(createClient, { name: 'Northwind Traders', ...values }, path, code);
  });

  it.each(['em', 'AN', '9999', '9906', '204', '02040', ' 0204', '0204 0205', ''])(
    'refuses "%s" as the scheme of an electronic address',
    (scheme) => {
      const body = { name: 'Northwind Traders', electronicAddress: { scheme, id: 'x' } };
      expectBodyRefused(createClient, body, 'electronicAddress.scheme', 'electronic_scheme');
    },
  );

  it('takes no longer for a very long e-mail address than for a short one', async () => {
    const reply = await ana.post('/clients', { name: 'x', email: `a@${'.'.repeat(900_000)}` });
    expect(reply.status).toBe(422);
  });

  it('reports every violation at once', async () => {
    const reply = await ana.post('/clients', { name: '', email: 'x', countryCode: 'Germany' });
    expect(reply.body.errors.map(({ path }: Json) => path)).toEqual(['name', 'email', 'countryCode']);
  });

  it('counts every client of concurrent creates', async () => {
    const bea = await given.user();
    await Promise.all(Array.from({ length: 30 }, () => given.client(bea)));
    const { body } = await bea.get('/clients');
    expect(body.meta.total).toBe(30);
    expect(body.data).toHaveLength(30);
  });
});
