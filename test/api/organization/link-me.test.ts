import { randomBytes, randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { linkMe } from '#shared/contract/organization/link-me.ts';
import { invitationKey } from '#shared/data/layout/keys.ts';
import { readInvited } from '#shared/data/organization/users.ts';
import { readItem } from '#shared/data/table/item.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { update } from '#shared/data/table/writes.ts';
import { hashInvitationCode, newInvitation } from '#shared/domain/organization/invitation.ts';
import type { Client, Json, Reply } from '#test/support/client.ts';
import { eventsOf, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { addUser, newEmail, signIn } from '#test/support/person.ts';

/** Whose issuer says nothing of emails. */
const stranger = () => signIn('', { sub: randomUUID(), email: undefined, email_verified: undefined });

const link = (person: Client, code: string): Promise<Reply> => person.post('/v1/me/link', { code });

const outcomeOf = ({ status, body }: Reply) => ({ status, code: body.code });

const INVALID = { status: 400, code: 'invitation_invalid' };

async function invited() {
  const ana = await given.user();
  const bea: Json = await given.colleague(ana);
  const invite = async (): Promise<string> => (await ana.post(`/v1/users/${bea.id}/invitations`)).body.data.code;
  const shown = async () => (await ana.get(`/v1/users/${bea.id}`)).body.data;
  return { ana, bea, invite, shown, code: await invite() };
}

describe('POST /v1/me/link', () => {
  it('links a person without an email to the user, as GET /v1/me then says', async () => {
    const { ana, bea, code, shown } = await invited();
    const person = stranger();
    expect((await person.in(ana.organization.id).get('/v1/me')).body.code).toBe('not_a_member');
    const { status, body } = await link(person, code);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      keyId: null,
      organizationId: ana.organization.id,
      userId: bea.id,
      role: 'member',
    });
    for (const by of [person, person.in(ana.organization.id)]) expect((await by.get('/v1/me')).body).toEqual(body);
    expect((await person.get('/v1/me/organizations')).body.data).toMatchObject([{ userId: bea.id, linked: true }]);
    expect(await shown()).toEqual({ ...bea, signIns: 1 });
  });

  it('links one of twenty people who send the code at once', async () => {
    const { code, shown } = await invited();
    const replies = await Promise.all(Array.from({ length: 20 }, () => link(stranger(), code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(outcomeOf(reply)).toEqual(INVALID);
    expect((await shown()).signIns).toBe(1);
  });

  it.each<[string, (scene: Awaited<ReturnType<typeof invited>>) => Promise<unknown>]>([
    ['is replaced by a newer one', ({ invite }) => invite()],
    ['is of a user who was removed', ({ ana, bea }) => ana.delete(`/v1/users/${bea.id}`)],
    [
      'is of an organization that is being deleted',
      async ({ ana }) => (await given.platform()).delete(`/v1/organizations/${ana.organization.id}`),
    ],
  ])('refuses a code that %s, as one that never was', async (_, end) => {
    const scene = await invited();
    await end(scene);
    const never = newInvitation(randomBytes(32), new Date()).code;
    const [refused, unknown] = [await link(stranger(), scene.code), await link(stranger(), never)];
    expect(outcomeOf(refused)).toEqual(INVALID);
    expect({ ...refused.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect(refused.body.errors).toEqual([{ path: 'code', message: expect.any(String), code: 'invitation_invalid' }]);
  });

  it('refuses a code that is replaced just after it was found, and takes the newer one', async () => {
    const { ana, bea, code } = await invited();
    let newer = '';
    const isOfUser = (command: object) => command instanceof GetCommand && command.input.Key?.sk === bea.id;
    const replace = async () => {
      newer = (await ana.post(`/v1/users/${bea.id}/invitations`)).body.data.code;
    };
    beforeCalls(isOfUser, [replace]);
    const person = stranger();
    expect(outcomeOf(await invokeWith(linkMe, `Bearer ${person.token}`, { body: { code } }))).toEqual(INVALID);
    vi.restoreAllMocks();
    expect((await link(person, newer)).status).toBe(200);
  });

  it('refuses a code at the moment at which it expires, and not before', async () => {
    const { code } = await invited();
    const hash = hashInvitationCode(code);
    const { expiresAt } = (await readItem(invitationKey(hash))) ?? {};
    const read = (late: number) => readInvited(hash, new Date(Date.parse(String(expiresAt)) + late));
    expect(await read(-1)).toMatchObject({ expiresAt });
    await expect(read(0)).rejects.toMatchObject({ code: 'invitation_invalid' });
    const ExpressionAttributeValues = { ':now': new Date().toISOString() };
    const UpdateExpression = 'SET expiresAt = :now';
    await transact([update(invitationKey(hash), { UpdateExpression, ExpressionAttributeValues })]);
    expect(outcomeOf(await link(stranger(), code))).toEqual(INVALID);
  });

  it('replaces a link that has ended, and uses up the code of who is linked already', async () => {
    const { ana, bea, code, invite, shown } = await invited();
    const person = stranger();
    await link(person, code);
    await ana.delete(`/v1/users/${bea.id}/sign-ins`);
    expect((await link(person, await invite())).body.data.userId).toBe(bea.id);
    expect((await shown()).signIns).toBe(1);
    const again = await invite();
    expect((await link(person, again)).status).toBe(200);
    expect(outcomeOf(await link(stranger(), again))).toEqual(INVALID);
    expect((await shown()).signIns).toBe(1);
  });

  it('refuses who is linked to another user of the organization, and keeps the invitation', async () => {
    const { ana, bea, code } = await invited();
    const email = newEmail();
    await addUser(ana.organization, email);
    const person = signIn(email);
    await person.in(ana.organization.id).get('/v1/me');
    expect(outcomeOf(await link(person, code))).toEqual({ status: 409, code: 'already_linked' });
    expect((await link(stranger(), code)).body.data.userId).toBe(bea.id);
  });

  it('leaves an event by the linked user, once for each link, and none of invitations', async () => {
    const { ana, bea, code, invite } = await invited();
    const after = await presentEnd(ana);
    const person = stranger();
    for (const each of [code, code, await invite()]) await link(person, each);
    const data = { object: { type: 'user', id: bea.id }, actor: { userId: bea.id, keyId: null, via: 'sign_in' } };
    expect(await eventsOf(ana, after)).toMatchObject([{ type: 'user.updated', data }]);
  });
});
