import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('PATCH /v1/me', () => {
  it('changes name and time zone of any user by any key, and shows the caller', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana, { name: 'Bea' });
    const bea = await given.keyOf(ana, id, { scopes: ['products:read'] });
    const before = (await bea.get('/v1/me')).body.data;
    const { status, body } = await bea.patch('/v1/me', { name: 'Beatrice', timeZone: 'Asia/Tokyo' });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, userName: 'Beatrice', timeZone: 'Asia/Tokyo' });
    expect((await ana.get(`/v1/users/${id}`)).body.data).toMatchObject({ name: 'Beatrice', timeZone: 'Asia/Tokyo' });
    expect((await bea.patch('/v1/me', { timeZone: null })).body.data).toEqual({ ...body.data, timeZone: null });
  });

  it('changes neither role nor email', async () => {
    const ana = await given.user({ role: 'member' });
    const reply = await ana.patch('/v1/me', { role: 'admin', email: 'ana@acme.example', status: 'removed' });
    expect(reply.body.data).toMatchObject({ role: 'member', email: null });
  });

  it('takes no name of another user', async () => {
    const ana = await given.user({ name: 'Ana' });
    await given.colleague(ana, { name: 'Bea' });
    const { status, body } = await ana.patch('/v1/me', { name: 'BEA' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'user_name_taken' });
    expect((await ana.get('/v1/me')).body.data.userName).toBe('Ana');
  });
});
