import { describe, expect, it } from 'vitest';
import { getSession } from '#shared/data/tracker/timers.ts';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const REMOVAL_MILLISECONDS = 30_000;

const pathOf = (id: string) => `/v1/users/${id}`;

/** A key of a new admin, made by another user's key. */
async function adminBy(by: User): Promise<User> {
  return given.keyOf(by, (await given.colleague(by, { role: 'admin' })).id);
}

async function statusOf(by: User): Promise<number> {
  return (await by.get('/v1/me')).status;
}

describe('DELETE /v1/users/{id}', () => {
  it('removes a user, whose entries stay and whose name and email are free', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example' });
    const bea = await given.keyOf(ana, id);
    const entry = await given.entry(bea);
    const reply = await ana.delete(pathOf(id));
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: { success: true, id } });
    expect((await ana.get(`/v1/work/tracker/entries/${entry.id}`)).body.data).toEqual(entry);
    expect((await ana.get(pathOf(id))).body.data).toMatchObject({ id, name: 'Bea', status: 'removed' });
    const next = await given.colleague(ana, { name: 'BEA', email: 'bea@ACME.example' });
    expect(next.id).not.toBe(id);
    const users = (await ana.get('/v1/users')).body.data;
    expect(users.map((user: Json) => [user.name, user.status])).toEqual([
      ['BEA', 'active'],
      ['Bea', 'removed'],
      [expect.any(String), 'active'],
    ]);
  });

  it('keeps the last active admin, also from itself', async () => {
    const ana = await given.user();
    const { status, body } = await ana.delete(pathOf(ana.userId));
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'last_admin' });
    const bea = await adminBy(ana);
    expect((await ana.delete(pathOf(ana.userId))).status).toBe(200);
    expect((await bea.delete(pathOf(bea.userId))).body.code).toBe('last_admin');
  });

  it(
    'ends its keys within 30 seconds, also where one is in use, and takes them off the list at once',
    async () => {
      const ana = await given.user();
      const { id } = await given.colleague(ana);
      const keys = [await given.keyOf(ana, id), await given.keyOf(ana, id)];
      for (const key of keys) expect((await key.get('/products')).status).toBe(200);
      await ana.delete(pathOf(id));
      expect((await ana.get('/v1/api-keys')).body.data.map((key: Json) => key.id)).toEqual([ana.keyId]);
      for (const key of keys) expect((await ana.delete(`/v1/api-keys/${key.keyId}`)).status).toBe(404);
      const statuses = async () => Promise.all(keys.map(async (key) => (await key.get('/products')).status));
      await expect.poll(statuses, { timeout: REMOVAL_MILLISECONDS, interval: 500 }).toEqual([401, 401]);
    },
    REMOVAL_MILLISECONDS + 10_000,
  );

  it('lets live the keys that its keys made for others, who draw from the bucket as before', async () => {
    const ana = await given.user({ rateLimit: 600 });
    const bea = await adminBy(ana);
    const cem = await adminBy(bea);
    const own = await given.keyOf(bea, bea.userId);
    await cem.delete(pathOf(bea.userId));
    const listed = (await ana.get('/v1/api-keys')).body.data.map((key: Json) => [key.id, key.createdByKeyId]);
    expect(listed).toEqual([
      [cem.keyId, ana.keyId],
      [ana.keyId, null],
    ]);
    await cem.delete(pathOf(ana.userId));
    const { status, headers, body } = await cem.get('/v1/api-keys');
    expect({ status, keys: body.data.map((key: Json) => [key.id, key.createdByKeyId]) }).toEqual({
      status: 200,
      keys: [[cem.keyId, null]],
    });
    expect(headers.get('ratelimit-policy')).toContain('q=600');
    expect(await Promise.all([ana, bea, own].map(statusOf))).toEqual([401, 401, 401]);
  });

  it('makes no key for a removed user, whoever asks at that moment', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana);
    const make = () => ana.post('/v1/api-keys', { name: 'x', scopes: ['products:read'], userId: id });
    const [made] = await Promise.all([Promise.all(Array.from({ length: 6 }, make)), ana.delete(pathOf(id))]);
    for (const { status, body } of made.filter((reply) => reply.status !== 201)) {
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'reference_not_found' });
    }
    expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(1);
    expect((await make()).body.errors).toEqual([
      { path: 'userId', message: expect.any(String), code: 'reference_not_found' },
    ]);
  });

  it('leaves one event, and none of keys and of a timer, which ends with it without an entry', async () => {
    const ana = await given.user();
    const bea = await adminBy(ana);
    const { id } = await given.timer(bea);
    const after = await presentEnd(ana);
    for (let i = 0; i < 2; i++) await ana.delete(pathOf(bea.userId));
    expect(await happenedSince(ana, after)).toEqual([['user.removed', { type: 'user', id: bea.userId }]]);
    const owner = { organizationId: ana.organization.id, userId: bea.userId };
    expect(await getSession(owner, id)).toMatchObject({ status: 'stopped', workEntryId: null });
    expect((await ana.get('/v1/work/tracker/entries')).body.meta.total).toBe(0);
  });
});
