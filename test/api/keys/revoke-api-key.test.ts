import { describe, expect, it } from 'vitest';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { Client, type Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

const REVOCATION_MILLISECONDS = 30_000;

const statusOf = async ({ apiKey }: Json): Promise<number> => (await new Client(apiKey).get('/products')).status;

describe('DELETE /v1/api-keys/{id}', () => {
  it(
    'stops the key within 30 seconds, also where it was in use',
    async () => {
      const ana = await given.user();
      const key = await given.apiKey(ana);
      const bea = new Client(key.apiKey);
      for (let i = 0; i < 5; i++) expect((await bea.get('/products')).status).toBe(200);
      await ana.delete(`/v1/api-keys/${key.id}`);
      const status = async () => (await bea.get('/products')).status;
      await expect.poll(status, { timeout: REVOCATION_MILLISECONDS, interval: 500 }).toBe(401);
    },
    REVOCATION_MILLISECONDS + 10_000,
  );

  it('does not bring a revoked key back when it is used at the same moment', async () => {
    const ana = await given.user();
    const key = await given.apiKey(ana);
    const bea = new Client(key.apiKey);
    await Promise.all([
      ana.delete(`/v1/api-keys/${key.id}`),
      ...Array.from({ length: 20 }, () => bea.get('/products/search', { q: 'x' })),
    ]);
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(1);
    expect((await bea.get(`/products/${key.id}`)).status).toBe(401);
  });

  it('revokes the keys that it made, and those that these made, and no others', async () => {
    const ana = await given.user();
    const scopes = ['keys:write', 'products:read'];
    const [maker, other] = [await given.apiKey(ana, { scopes }), await given.apiKey(ana, { scopes })];
    const child = await given.apiKey(new Client(maker.apiKey), { scopes });
    const grandchild = await given.apiKey(new Client(child.apiKey), { scopes });
    const stranger = await given.apiKey(new Client(other.apiKey), { scopes });
    expect((await ana.delete(`/v1/api-keys/${maker.id}`)).body).toEqual({ success: true, id: maker.id });
    const { body } = await ana.get('/v1/api-keys');
    expect(body.data.map(({ id, createdByKeyId }: Json) => [id, createdByKeyId])).toEqual([
      [stranger.id, other.id],
      [other.id, ana.keyId],
      [ana.keyId, null],
    ]);
    const statuses = await Promise.all([maker, child, grandchild, other, stranger].map(statusOf));
    expect(statuses).toEqual([401, 401, 401, 200, 200]);
    for (const { id } of [child, grandchild]) expect((await ana.delete(`/v1/api-keys/${id}`)).status).toBe(404);
  });

  it("lets an admin's key revoke any, also the one that it comes from, and with it itself", async () => {
    const scopes = ['keys:write', 'products:read'];
    const ana = await given.user();
    const bea = await given.user({ organization: ana.organization });
    const [maker, sibling] = [await given.apiKey(ana, { scopes }), await given.apiKey(ana, { scopes })];
    const by = new Client((await given.apiKey(new Client(maker.apiKey), { scopes })).apiKey);
    for (const id of [sibling.id, bea.keyId, maker.id]) {
      expect((await by.delete(`/v1/api-keys/${id}`)).status).toBe(200);
    }
    expect((await ana.get('/v1/api-keys')).body.data.map(({ id }: Json) => id)).toEqual([ana.keyId]);
  });

  it('stops also what the key makes at that very moment', async () => {
    const ana = await given.user();
    const scopes = ['keys:write', 'products:read'];
    const maker = new Client((await given.apiKey(ana, { scopes })).apiKey);
    const { id } = (await ana.get('/v1/api-keys')).body.data[0];
    const make = () => maker.post('/v1/api-keys', { name: 'x', scopes });
    const [made] = await Promise.all([
      Promise.all(Array.from({ length: 12 }, make)),
      make().then(() => ana.delete(`/v1/api-keys/${id}`)),
    ]);
    const keys = made.flatMap(({ status, body }) => (status === 201 ? [body.data] : []));
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(await statusOf(key)).toBe(401);
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(1);
  });

  it('keeps what the key made where keepMade says so, under the maker of the key', async () => {
    const ana = await given.user();
    const scopes = ['keys:write', 'products:read'];
    const maker = await given.apiKey(ana, { scopes });
    const child = await given.apiKey(new Client(maker.apiKey), { scopes });
    const grandchild = await given.apiKey(new Client(child.apiKey), { scopes });
    expect((await ana.send('DELETE', `/v1/api-keys/${maker.id}`, { query: { keepMade: true } })).status).toBe(200);
    const { body } = await ana.get('/v1/api-keys');
    expect(body.data.map(({ id, createdByKeyId }: Json) => [id, createdByKeyId])).toEqual([
      [grandchild.id, child.id],
      [child.id, ana.keyId],
      [ana.keyId, null],
    ]);
    const statuses = await Promise.all([maker, child, grandchild].map(statusOf));
    expect(statuses).toEqual([401, 200, 200]);
    await ana.delete(`/v1/api-keys/${child.id}`);
    expect(await statusOf(grandchild)).toBe(401);
  });

  it('keeps nothing for a caller of the family of the key', async () => {
    const ana = await given.user();
    const bea = await given.user({ organization: ana.organization });
    const child = new Client((await given.apiKey(ana, { scopes: SCOPES })).apiKey);
    for (const by of [ana, child]) {
      const { status, body } = await by.send('DELETE', `/v1/api-keys/${ana.keyId}`, { query: { keepMade: true } });
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'own_family' });
    }
    expect((await bea.get('/v1/api-keys')).body.meta.total).toBe(3);
  });

  it('leaves an event for each key that ends with it, however many these are', async () => {
    const ana = await given.user();
    const maker = await given.keyOf(ana, ana.userId);
    const made = [maker.keyId];
    while (made.length <= 50) made.push((await given.apiKey(maker)).id);
    const alone = await given.apiKey(ana);
    const { organization } = ana;
    const expired = await given.user({ organization, expiresAt: new Date().toISOString() });
    const after = await presentEnd(ana);
    await ana.delete(`/v1/api-keys/${alone.id}`);
    await ana.delete(`/v1/api-keys/${expired.keyId}`);
    for (let i = 0; i < 2; i++) await ana.delete(`/v1/api-keys/${maker.keyId}`);
    const happened = await happenedSince(ana, after);
    const revoked = (id: string) => ['api_key.revoked', { type: 'api_key', id }];
    expect(happened[0]).toEqual(revoked(alone.id));
    expect(new Set(happened.slice(1))).toEqual(new Set(made.map(revoked)));
    expect(happened).toHaveLength(1 + made.length);
  });
});
