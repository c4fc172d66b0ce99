import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { changeRoster } from '#shared/data/keys/roster.ts';
import { apiKeyIdKey, apiKeyKey, apiKeyListingKey, countKey } from '#shared/data/layout/keys.ts';
import { findUser } from '#shared/data/organization/users.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { hashApiKey, isWellFormedApiKey } from '#shared/domain/keys/api-key.ts';
import { MAX_USERS } from '#shared/domain/organization/users.ts';
import { Client, type Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

describe('POST /v1/api-keys', () => {
  it('shows the key once, and the key works', async () => {
    const ana = await given.user({ rateLimit: 700 });
    const reply = await ana.post('/v1/api-keys', { name: 'Reporting', scopes: ['products:read'] });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.any(String),
      name: 'Reporting',
      organizationId: ana.organization.id,
      userId: ana.userId,
      scopes: ['products:read'],
      rateLimit: 700,
      expiresAt: null,
      createdByKeyId: ana.keyId,
      createdAt: expect.any(String),
      apiKey: expect.stringMatching(/^bw_[A-Za-z0-9_-]{49}$/),
    });
    const { apiKey } = reply.body.data;
    expect(isWellFormedApiKey(apiKey)).toBe(true);
    const list = await ana.get('/v1/api-keys');
    expect(JSON.stringify(list.body)).not.toContain(apiKey);
    expect((await new Client(apiKey).get('/products')).status).toBe(200);
    expect((await new Client(apiKey).post('/products', { name: 'x', price: '1' })).status).toBe(403);
  });

  it('holds a scope once that was sent twice', async () => {
    const ana = await given.user();
    const { id, scopes } = await given.apiKey(ana, { scopes: ['products:read', 'keys:read', 'products:read'] });
    expect(scopes).toEqual(['products:read', 'keys:read']);
    const { body } = await ana.get('/v1/api-keys');
    expect(body.data.find((key: Json) => key.id === id).scopes).toEqual(['products:read', 'keys:read']);
  });

  it('cannot grant what its creator lacks', async () => {
    const ana = await given.user({ scopes: ['keys:write', 'keys:read', 'products:read'] });
    const reply = await ana.post('/v1/api-keys', {
      name: 'x',
      scopes: ['products:read', 'products:write', 'invoices:read'],
    });
    expect(reply.status).toBe(403);
    expect(reply.body.code).toBe('scope_not_grantable');
    expect(reply.body.detail).toContain('products:write, invoices:read');
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(1);
  });

  it('lives no longer than its creator, and by default as long', async () => {
    const expiresAt = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const ana = await given.user({ expiresAt });
    expect((await given.apiKey(ana)).expiresAt).toBe(expiresAt);
    expect((await given.apiKey(ana, { expiresInDays: 1 })).expiresAt < expiresAt).toBe(true);
    const reply = await ana.post('/v1/api-keys', { name: 'x', scopes: ['products:read'], expiresInDays: 3 });
    expect(reply).toMatchObject({ status: 403, body: { code: 'limits_not_grantable' } });
    expect(reply.body.detail).toContain(expiresAt);
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(3);
  });

  it('is for another user only where its creator has the scope organization:write', async () => {
    const ana = await given.user({ name: 'Ana', scopes: ['keys:write', 'keys:read'] });
    const make = (user: string) => ana.post('/v1/api-keys', { name: 'x', scopes: ['keys:read'], user });
    expect((await make(' ANA ')).body.data.userId).toBe(ana.userId);
    const reply = await make('Bea');
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(reply.body.detail).toContain('organization:write');
    expect(await findUser(ana.organization.id, 'Bea')).toBeUndefined();
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(2);
  });

  it('is for the user that userId names, who stays as it is', async () => {
    const ana = await given.user();
    const bea = await given.colleague(ana, { name: 'Bea' });
    const { userId } = await given.apiKey(ana, { userId: bea.id.toUpperCase() });
    expect(userId).toBe(bea.id);
    expect((await ana.get(`/v1/users/${bea.id}`)).body.data).toEqual(bea);
    expect((await given.apiKey(ana, { userId: ana.userId })).userId).toBe(ana.userId);
    const own = await given.user({ scopes: ['keys:write', 'products:read'], organization: ana.organization });
    const make = (id: string) => own.post('/v1/api-keys', { name: 'x', scopes: ['products:read'], userId: id });
    expect((await make(own.userId)).status).toBe(201);
    expect((await make(bea.id)).body.code).toBe('insufficient_scope');
  });

  it("is for an active user of the organization, and for nobody else's", async () => {
    const [ana, eve] = [await given.user(), await given.user()];
    const bea = await given.colleague(ana);
    await ana.delete(`/v1/users/${bea.id}`);
    for (const userId of [bea.id, eve.userId, uuidV7()]) {
      const { status, body } = await ana.post('/v1/api-keys', { name: 'x', scopes: ['products:read'], userId });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'reference_not_found' });
      expect(body.errors).toEqual([{ path: 'userId', message: expect.any(String), code: 'reference_not_found' }]);
    }
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(1);
  });

  it('is one of at most a thousand', async () => {
    const ana = await given.user();
    const others = Array.from({ length: 998 }, () => ({ id: uuidV7(), createdByKeyId: null, expiresAt: null }));
    await changeRoster(ana.organization.id, (roster) => ({ keys: [...roster, ...others], others: [] }));
    const body = { name: 'x', scopes: ['products:read'] };
    const names = ['Cem', 'Dov', 'Eve'];
    const replies = await Promise.all(names.map((user) => ana.post('/v1/api-keys', { ...body, user })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const refused = replies.find(({ status }) => status === 400);
    expect(refused?.body.code).toBe('too_many_api_keys');
    const users = await Promise.all(names.map((user) => findUser(ana.organization.id, user)));
    expect(users.map((user) => user !== undefined)).toEqual(replies.map(({ status }) => status === 201));
    const made = replies.find(({ status }) => status === 201);
    await ana.delete(`/v1/api-keys/${made?.body.data.id}`);
    expect((await ana.post('/v1/api-keys', body)).status).toBe(201);
  });

  it('makes one of at most a thousand users', async () => {
    const ana = await given.user();
    await transact([increase(countKey(ana.organization.id, 'USER'), { active: MAX_USERS - 2 })]);
    const make = (user: string) => ana.post('/v1/api-keys', { name: 'x', scopes: ['products:read'], user });
    const replies = [await make('Bea'), await make('Eve'), await make('Bea')];
    expect(replies.map(({ status }) => status)).toEqual([201, 400, 201]);
    expect(replies[1]?.body).toMatchObject({ code: 'too_many_users', errors: [{ path: 'user' }] });
    expect(await findUser(ana.organization.id, 'Eve')).toBeUndefined();
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(3);
  });

  it('stops working when it expires, and leaves the table', async () => {
    const ana = await given.user();
    const expiresAt = new Date(Date.now() + 4_000).toISOString();
    const key = { name: 'Short', organizationId: ana.organization.id, userId: ana.userId, rateLimit: 600, expiresAt };
    const scopes = ['products:read'] as const;
    const of = { id: uuidV7(), currency: 'USD', createdByKeyId: ana.keyId };
    const { apiKey } = await issueApiKey({ ...key, ...of, scopes }, new Date(), async () => []);
    const bea = new Client(apiKey);
    expect((await bea.get('/products')).status).toBe(200);
    const places = [apiKeyKey(hashApiKey(apiKey)), apiKeyListingKey(key.organizationId, of.id), apiKeyIdKey(of.id)];
    const expiry = { expiresAtEpochSeconds: Math.ceil(Date.parse(expiresAt) / 1_000) };
    expect(await batchGet(places)).toEqual(places.map(() => expect.objectContaining(expiry)));
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 50));
    expect((await bea.get('/products')).status).toBe(401);
  });

  it('names its user by id or by name', () => {
    const user = { user: 'Bea', userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f' };
    expectBodyRefused(createApiKey, { name: 'x', scopes: ['products:read'], ...user }, 'user', 'conflict');
  });
});
