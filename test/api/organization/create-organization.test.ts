import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { Client, type Json } from '#test/support/client.ts';
import { eventsOf } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

const PATH = '/v1/organizations';

const newName = () => `Organization ${randomUUID()}`;

describe('POST /v1/organizations', () => {
  let platform: Client;

  beforeAll(async () => {
    platform = await given.platform();
  });

  it('makes an organization, an admin, and a key that does everything there', async () => {
    const name = newName();
    const owner = { name: 'Ana', email: 'ana@acme.example' };
    const { status, body } = await platform.post(PATH, { name: ` ${name} `, currency: 'eur', owner });
    const { owner: user, apiKey, ...organization } = body.data;
    expect(status).toBe(201);
    expect(organization).toMatchObject({ name, currency: 'EUR', timeZone: null, legalName: null, status: 'active' });
    expect(user).toMatchObject({ ...owner, role: 'admin', timeZone: null, status: 'active' });
    const ana = new Client(apiKey);
    expect((await ana.get('/v1/me')).body.data).toMatchObject({
      keyName: 'First key',
      organizationId: organization.id,
      organizationName: name,
      userId: user.id,
      email: owner.email,
      role: 'admin',
      scopes: SCOPES,
      rateLimit: 600,
      currency: 'EUR',
      expiresAt: null,
    });
    expect((await ana.post('/products', { name: 'Consulting', price: '1' })).body.data.currency).toBe('EUR');
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(1);
    expect((await ana.get('/v1/users')).body).toMatchObject({ data: [user], meta: { total: 1 } });
    expect((await platform.get(`${PATH}/${organization.id}`)).body.data).toEqual(organization);
  });

  it('begins with US dollars and without an email, and takes a time zone', async () => {
    const body = { name: newName(), timeZone: 'Asia/Kathmandu', owner: { name: 'Ana' } };
    const { data } = (await platform.post(PATH, body)).body;
    expect(data).toMatchObject({ currency: 'USD', timeZone: 'Asia/Kathmandu', owner: { email: null } });
  });

  it('answers 409 to a name that another has, in any case and spacing, and makes nothing', async () => {
    const name = newName();
    await platform.post(PATH, { name, owner: { name: 'Ana' } });
    const { status, body } = await platform.post(PATH, { name: ` ${name.toUpperCase()}`, owner: { name: 'Bea' } });
    expect({ status, code: body.code, path: body.errors[0].path }).toEqual({
      status: 409,
      code: 'organization_name_taken',
      path: 'name',
    });
    const { data } = (await platform.get(PATH, { limit: '200' })).body;
    expect(data.filter((made: Json) => made.name.toLowerCase() === name.toLowerCase())).toHaveLength(1);
  });

  it('makes one of twenty with the same name at once', async () => {
    const body = { name: newName(), owner: { name: 'Ana' } };
    const replies = await Promise.all(Array.from({ length: 20 }, () => platform.post(PATH, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  it('begins the feed of the organization with its user and its key', async () => {
    const { owner, apiKey } = (await platform.post(PATH, { name: newName(), owner: { name: 'Ana' } })).body.data;
    const ana = new Client(apiKey);
    const { keyId } = (await ana.get('/v1/me')).body.data;
    const actor = { userId: null, keyId: null, via: 'platform' };
    expect(await eventsOf(ana)).toMatchObject([
      { sequence: 1, type: 'user.created', data: { object: { type: 'user', id: owner.id }, actor } },
      { sequence: 2, type: 'api_key.created', data: { object: { type: 'api_key', id: keyId }, actor } },
    ]);
  });
});
