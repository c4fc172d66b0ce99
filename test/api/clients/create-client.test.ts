import { beforeAll, describe, expect, it } from 'vitest';
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
});
