import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventsOf, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { addUser, newEmail, signIn } from '#test/support/person.ts';

const pathOf = (id: string) => `/v1/users/${id}/sign-ins`;

describe('DELETE /v1/users/{id}/sign-ins', () => {
  it('ends all links of the user, who may be linked anew', async () => {
    const ana = await given.user();
    const { organization } = ana;
    const email = newEmail();
    const id = await addUser(organization, email);
    const people = [signIn(email), signIn(email, { sub: randomUUID() })];
    for (const person of people) expect((await person.in(organization.id).get('/v1/me')).status).toBe(200);
    const shown = async () => (await ana.get(`/v1/users/${id}`)).body.data;
    const before = await shown();
    expect(before.signIns).toBe(2);
    const { status, body } = await ana.delete(pathOf(id));
    expect({ status, body }).toEqual({ status: 200, body: { success: true, id } });
    expect(await shown()).toEqual({ ...before, signIns: 0, updatedAt: expect.any(String) });
    for (const person of people) {
      const { data } = (await person.get('/v1/me/organizations')).body;
      expect(data).toEqual([
        { id: organization.id, name: organization.name, userId: id, role: 'admin', linked: false },
      ]);
    }
  });

  it('answers the same where there is none, and of a user who was removed', async () => {
    const ana = await given.user();
    const bea = await given.colleague(ana);
    const ended = { status: 200, body: { success: true, id: bea.id } };
    expect(await ana.delete(pathOf(bea.id))).toMatchObject(ended);
    expect((await ana.get(`/v1/users/${bea.id}`)).body.data).toEqual(bea);
    await ana.delete(`/v1/users/${bea.id}`);
    expect(await ana.delete(pathOf(bea.id))).toMatchObject(ended);
  });

  it('leaves one event as each link does, and none where there is no link', async () => {
    const ana = await given.user();
    const { id: organizationId } = ana.organization;
    const email = newEmail();
    const id = await addUser(ana.organization, email);
    const after = await presentEnd(ana);
    for (let i = 0; i < 2; i++) expect((await signIn(email).in(organizationId).get('/v1/me')).status).toBe(200);
    for (let i = 0; i < 2; i++) await ana.delete(pathOf(id));
    const by = (actor: object) => ['user.updated', { object: { type: 'user', id }, actor }];
    expect((await eventsOf(ana, after)).map(({ type, data }) => [type, data])).toEqual([
      by({ userId: id, keyId: null, via: 'sign_in' }),
      by({ userId: ana.userId, keyId: ana.keyId, via: 'api_key' }),
    ]);
  });
});
