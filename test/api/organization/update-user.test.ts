import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

const pathOf = (id: string) => `/v1/users/${id}`;

/** A change of a role shows within it. */
const ROLE_MILLISECONDS = 30_000;

describe('PATCH /v1/users/{id}', () => {
  it('changes what is sent, and nothing else', async () => {
    const ana = await given.user();
    const bea = await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example', timeZone: 'UTC' });
    const { status, body } = await ana.patch(pathOf(bea.id), { name: 'Beatrice', timeZone: null });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...bea, name: 'Beatrice', timeZone: null, updatedAt: expect.any(String) });
    expect((await ana.patch(pathOf(bea.id), {})).body.data).toEqual(body.data);
    const removed = { email: null, status: 'removed', id: ana.userId, createdAt: 'now' };
    expect((await ana.patch(pathOf(bea.id), removed)).body.data).toMatchObject({
      id: bea.id,
      email: null,
      status: 'active',
    });
  });

  it('frees the former name and email, and keeps those that are taken', async () => {
    const ana = await given.user({ name: 'Ana' });
    const bea = await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example' });
    expect((await ana.patch(pathOf(bea.id), { name: 'ANA' })).body.code).toBe('user_name_taken');
    await ana.patch(pathOf(bea.id), { name: 'Cem', email: 'cem@acme.example' });
    const dov = await given.colleague(ana, { name: 'bea', email: 'BEA@acme.example' });
    const { status, body } = await ana.patch(pathOf(dov.id), { email: 'cem@ACME.example' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'user_email_taken' });
    const respelled = await ana.patch(pathOf(bea.id), { name: 'CEM', email: 'Cem@acme.example' });
    expect(respelled.body.data).toMatchObject({ name: 'CEM', email: 'Cem@acme.example' });
    await ana.patch(pathOf(bea.id), { email: null });
    expect((await ana.patch(pathOf(dov.id), { email: 'cem@acme.example' })).status).toBe(200);
  });

  it('keeps the last active admin an admin', async () => {
    const ana = await given.user();
    await given.colleague(ana);
    const bea = await given.colleague(ana, { role: 'admin' });
    expect((await ana.patch(pathOf(bea.id), { role: 'member' })).body.data.role).toBe('member');
    const { status, body } = await ana.patch(pathOf(ana.userId), { role: 'member', timeZone: 'UTC' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'last_admin' });
    expect((await ana.get(pathOf(ana.userId))).body.data).toMatchObject({ role: 'admin', timeZone: null });
    expect((await ana.patch(pathOf(ana.userId), { role: 'admin' })).status).toBe(200);
  });

  it(
    'takes effect within 30 seconds where a key is in use, also before a kept answer is replayed',
    async () => {
      const ana = await given.user();
      const bea = await given.keyOf(ana, (await given.colleague(ana, { role: 'admin' })).id);
      const headers = { 'idempotency-key': 'product' };
      const create = () => bea.send('POST', '/products', { body: { name: 'Consulting', price: '1' }, headers });
      const work = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', userId: ana.userId };
      const book = () =>
        bea.send('POST', '/v1/work/tracker/entries', { body: work, headers: { 'idempotency-key': 'entry' } });
      expect((await book()).status).toBe(201);
      for (let i = 0; i < 5; i++) expect((await create()).status).toBe(201);
      await ana.patch(pathOf(bea.userId), { role: 'member' });
      const refused = { status: 403, body: { code: 'admin_required' } };
      await expect.poll(create, { timeout: ROLE_MILLISECONDS, interval: 500 }).toMatchObject(refused);
      const ofAnother = await book();
      expect({ status: ofAnother.status, code: ofAnother.body.code }).toEqual({ status: 403, code: 'not_yours' });
    },
    ROLE_MILLISECONDS + 10_000,
  );

  it('answers 409 of a removed user, after the faults of the body', async () => {
    const ana = await given.user();
    const bea = await given.colleague(ana);
    await ana.delete(pathOf(bea.id));
    const { status, body } = await ana.patch(pathOf(bea.id), { name: 'Bea' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'user_removed' });
    expect((await ana.patch(pathOf(bea.id), {})).status).toBe(409);
    expect((await ana.patch(pathOf(bea.id), { name: '' })).status).toBe(422);
  });
});
