import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
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
});
