import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatApiKey } from '#shared/domain/keys/api-key.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

describe('authentication', () => {
  it.each([
    ['another scheme', 'Basic YTpi'],
    ['no key', 'Bearer '],
    ['a malformed key', 'Bearer bw_short'],
    ['a wrong checksum', `Bearer ${formatApiKey(randomBytes(32)).slice(0, -6)}AAAAAA`],
    ['an unknown key', `Bearer ${formatApiKey(randomBytes(32))}`],
    ['two keys', `Bearer ${formatApiKey(randomBytes(32))} ${formatApiKey(randomBytes(32))}`],
  ])('answers 401 to %s, and does not repeat it', async (_case, authorization) => {
    const reply = await new Client().send('GET', '/products', { headers: { authorization } });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    expect(reply.body.code).toBe('unauthenticated');
    if (authorization.includes('bw_')) expect(JSON.stringify(reply.body)).not.toContain(authorization.slice(7));
  });

  it('takes the scheme in any case', async () => {
    const ana = await given.user();
    const reply = await new Client().send('GET', '/products', { headers: { authorization: `bearer ${ana.apiKey}` } });
    expect(reply.status).toBe(200);
  });

  it('checks the key before the scope, and the scope before the resource and the body', async () => {
    const reader = await given.user({ scopes: ['products:read'] });
    expect((await new Client().patch('/products/none', { name: '' })).status).toBe(401);
    expect((await reader.patch('/products/none', { name: '' })).status).toBe(403);
    expect((await reader.get('/v1/api-keys', { limit: 0 })).status).toBe(403);
  });
});
