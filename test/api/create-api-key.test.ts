import { describe, expect, it } from 'vitest';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

describe('POST /v1/api-keys', () => {
  it('shows the key once, and the key works', async () => {
    const ana = await given.user();
    const reply = await ana.post('/v1/api-keys', { name: 'Reporting', scopes: ['products:read'] });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.any(String),
      name: 'Reporting',
      organizationId: ana.organization.id,
      userId: ana.userId,
      scopes: ['products:read'],
      rateLimit: 600,
      expiresAt: null,
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

  it('gives the same user name the same user', async () => {
    const ana = await given.user();
    const [first, second] = await Promise.all([
      given.apiKey(ana, { user: 'Bea' }),
      given.apiKey(ana, { user: ' BEA ' }),
    ]);
    expect(first.userId).toBe(second.userId);
    expect(first.userId).not.toBe(ana.userId);
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

  it('stops working when it expires', async () => {
    const ana = await given.user();
    const { apiKey, expiresAt } = await given.apiKey(ana, { expiresInDays: 1.5 / 86_400 });
    const bea = new Client(apiKey);
    expect((await bea.get('/products')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 50));
    expect((await bea.get('/products')).status).toBe(401);
  });

  it.each([
    ['name', { name: '' }, 'length'],
    ['name', { name: 'x'.repeat(101) }, 'length'],
    ['scopes', { scopes: [] }, 'length'],
    ['scopes', { scopes: undefined }, 'required'],
    ['scopes.0', { scopes: ['products:all'] }, 'enum'],
    ['rateLimit', { rateLimit: 0 }, 'range'],
    ['rateLimit', { rateLimit: 1.5 }, 'type'],
    ['expiresInDays', { expiresInDays: 0 }, 'range'],
    ['expiresInDays', { expiresInDays: '1' }, 'type'],
    ['user', { user: '' }, 'length'],
  ])('refuses a wrong %s: %o', async (path, values, code) => {
    const ana = await given.user();
    const reply = await ana.post('/v1/api-keys', { name: 'x', scopes: ['products:read'], ...values });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path, message: expect.any(String), code }]);
  });
});
