import { describe, expect, it } from 'vitest';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

describe('GET /v1/me', () => {
  it('tells of the key, its user and its organization, to any valid key', async () => {
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const scopes = ['products:read'] as const;
    const ana = await given.user({ name: 'Ana', scopes, rateLimit: 700, expiresAt, currency: 'JPY' });
    const reply = await ana.get('/v1/me');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      data: {
        keyId: ana.keyId,
        keyName: 'Test',
        organizationId: ana.organization.id,
        organizationName: ana.organization.name,
        organizationTimeZone: null,
        userId: ana.userId,
        userName: 'Ana',
        email: null,
        role: 'admin',
        timeZone: null,
        scopes: ['products:read'],
        rateLimit: 700,
        expiresAt,
        currency: 'JPY',
      },
    });
  });

  it('follows a change of the organization at once', async () => {
    const ana = await given.user();
    const name = `${ana.organization.name} renamed`;
    expect((await ana.get('/v1/me')).body.data.organizationName).toBe(ana.organization.name);
    await ana.patch('/v1/organization', { name, timeZone: 'Europe/Berlin' });
    const changed = { organizationName: name, organizationTimeZone: 'Europe/Berlin', timeZone: null };
    expect((await ana.get('/v1/me')).body.data).toMatchObject(changed);
  });

  it('refuses a revoked key at once, although its lease of tokens has not ended', async () => {
    const ana = await given.user();
    const { apiKey, id } = await given.apiKey(ana);
    const bea = new Client(apiKey);
    expect((await bea.get('/v1/me')).status).toBe(200);
    await ana.delete(`/v1/api-keys/${id}`);
    const reply = await bea.get('/v1/me');
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refuses the first key of a family at once, too, where the others live on', async () => {
    const ana = await given.user();
    const made = new Client((await given.apiKey(ana)).apiKey);
    const other = await given.user({ organization: ana.organization });
    for (const by of [ana, made]) expect((await by.get('/v1/me')).status).toBe(200);
    await other.send('DELETE', `/v1/api-keys/${ana.keyId}`, { query: { keepMade: true } });
    expect([(await ana.get('/v1/me')).status, (await made.get('/v1/me')).status]).toEqual([401, 200]);
  });
});
