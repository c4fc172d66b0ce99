import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

describe('GET /v1/users', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user({ name: 'Ana' });
    for (const user of ['Bea', 'Cem', 'Dov']) await given.apiKey(ana, { user });
  });

  const namesOf = ({ body }: { body: Json }) => body.data.map(({ name }: Json) => name);

  it('lists all users, newest first, 50 at a time', async () => {
    const reply = await ana.get('/v1/users');
    expect(reply.status).toBe(200);
    expect(namesOf(reply)).toEqual(['Dov', 'Cem', 'Bea', 'Ana']);
    expect(reply.body.meta).toEqual({ total: 4, limit: 50, offset: 0 });
    expect(reply.body.data[3]).toEqual({
      id: ana.userId,
      name: 'Ana',
      email: null,
      role: 'admin',
      timeZone: null,
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data[3].createdAt,
    });
    const times = reply.body.data.map(({ createdAt }: Json) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(Math.abs(Date.parse(times[0]) - Date.now())).toBeLessThan(600_000);
  });

  it.each([
    [{ limit: 2 }, ['Dov', 'Cem'], { total: 4, limit: 2, offset: 0 }],
    [{ limit: 2, offset: 1 }, ['Cem', 'Bea'], { total: 4, limit: 2, offset: 1 }],
    [{ limit: 200, offset: 3 }, ['Ana'], { total: 4, limit: 200, offset: 3 }],
    [{ offset: 4 }, [], { total: 4, limit: 50, offset: 4 }],
    [{ offset: Number.MAX_SAFE_INTEGER }, [], { total: 4, limit: 50, offset: Number.MAX_SAFE_INTEGER }],
  ])('pages by offset: %o', async (query, names, meta) => {
    const reply = await ana.get('/v1/users', query);
    expect({ names: namesOf(reply), meta: reply.body.meta }).toEqual({ names, meta });
  });

  it.each([
    ['limit', '0', 'range'],
    ['limit', '201', 'range'],
    ['limit', 'x', 'type'],
    ['offset', '-1', 'range'],
    ['offset', '1.5', 'type'],
  ])('refuses %s=%s', async (path, value, code) => {
    const reply = await ana.get('/v1/users', { [path]: value });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path, message: expect.any(String), code }]);
  });

  it('has a user once who has several keys, and keeps one whose keys are all revoked', async () => {
    const eve = await given.user({ name: 'Eve' });
    const keys = [await given.apiKey(eve, { user: 'Flo' }), await given.apiKey(eve, { user: 'FLO' })];
    for (const { id } of keys) await eve.delete(`/v1/api-keys/${id}`);
    expect(namesOf(await eve.get('/v1/users'))).toEqual(['Flo', 'Eve']);
  });

  it('counts each of the users that are made at the same moment, and a name that all make once', async () => {
    const eve = await given.user({ name: 'Eve' });
    const names = Array.from({ length: 10 }, (_, i) => (i < 5 ? `User ${i}` : 'Everybody'));
    await Promise.all(names.map((user) => given.apiKey(eve, { user })));
    const reply = await eve.get('/v1/users');
    expect(reply.body.meta.total).toBe(7);
    expect(namesOf(reply).toSorted()).toEqual([...new Set([...names, 'Eve'])].toSorted());
  });

  it('shows nobody of another organization', async () => {
    const eve = await given.user({ name: 'Eve' });
    expect(namesOf(await eve.get('/v1/users'))).toEqual(['Eve']);
  });
});
