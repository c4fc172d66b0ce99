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
      signIns: 0,
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
    ['status', 'gone', 'enum'],
    ['q', 'x'.repeat(256), 'length'],
  ])('refuses %s=%s', async (path, value, code) => {
    const reply = await ana.get('/v1/users', { [path]: value });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path, message: expect.any(String), code }]);
  });

  it('finds users by their status, and by a part of the name or the email', async () => {
    const eve = await given.user({ name: 'Eve' });
    const flo = await given.colleague(eve, { name: 'Flo', email: 'FLO@acme.example' });
    await given.colleague(eve, { name: 'Gil Straße', email: 'gil@northwind.example' });
    await eve.delete(`/v1/users/${flo.id}`);
    const found = async (query: Readonly<Record<string, string | number>>) => {
      const reply = await eve.get('/v1/users', query);
      return { names: namesOf(reply), total: reply.body.meta.total };
    };
    expect(await found({})).toEqual({ names: ['Gil Straße', 'Flo', 'Eve'], total: 3 });
    expect(await found({ status: 'active' })).toEqual({ names: ['Gil Straße', 'Eve'], total: 2 });
    expect(await found({ status: 'active', limit: 1, offset: 1 })).toEqual({ names: ['Eve'], total: 2 });
    expect(await found({ status: 'removed' })).toEqual({ names: ['Flo'], total: 1 });
    expect(await found({ status: 'removed', offset: 1 })).toEqual({ names: [], total: 1 });
    expect(await found({ q: 'ACME' })).toEqual({ names: ['Flo'], total: 1 });
    expect(await found({ q: 'STRASSE' })).toEqual({ names: ['Gil Straße'], total: 1 });
    expect(await found({ q: 'acme', status: 'active' })).toEqual({ names: [], total: 0 });
    expect(await found({ q: '' })).toEqual({ names: ['Gil Straße', 'Flo', 'Eve'], total: 3 });
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
