import { randomUUID } from 'node:crypto';
import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { type Key, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import type { NamedOrganization } from '#shared/data/organization/organizations.ts';
import { readUser, saveUser } from '#shared/data/organization/users.ts';
import { membershipOf as membershipAt, membershipsOf } from '#shared/data/sign-in/memberships.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { assign, EXISTS, unread } from '#shared/data/table/writes.ts';
import { endSignIns, reviseUser, type User, withdrawUser } from '#shared/domain/organization/users.ts';
import type { Membership, Person } from '#shared/domain/person.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { addUser, newEmail } from '#test/support/person.ts';

const personWith = (email: string | null): Person => ({
  issuer: 'https://issuer.example',
  subject: randomUUID(),
  email,
  hasEmail: email !== null,
});

const membershipOf = (person: Person, organizationId?: string, known?: Membership) =>
  membershipAt(person, organizationId, known, new Date(), async () => {});

/** Requests of a person at the same moment. */
const atOnce = (person: Person, organizationId: string, known?: Membership) =>
  Promise.all(Array.from({ length: 5 }, () => membershipOf(person, organizationId, known)));

const set = (key: Key, attribute: string, value: unknown) =>
  transact([assign({ ...key, [attribute]: value }, unread, EXISTS)]);

async function change({ id }: NamedOrganization, userId: string, to: (user: User) => User): Promise<void> {
  const before = await readUser(id, userId);
  await saveUser(id, before, to(before), []);
}

const removal = (user: User) => withdrawUser(user, new Date());
const readdressing = (user: User) => reviseUser(user, { email: newEmail() }, new Date());
const ending = (user: User) => endSignIns(user, new Date());

async function signInsOf({ id }: NamedOrganization, userId: string): Promise<number> {
  return (await readUser(id, userId)).signIns;
}

const notAMember = expect.objectContaining({ code: 'not_a_member' });
const organizationRequired = expect.objectContaining({ code: 'organization_required' });

/** An admin with a verified email, not linked yet. */
async function scene() {
  const organization = await given.organization();
  const email = newEmail();
  // Another admin, since the last one cannot be removed.
  await addUser(organization, newEmail());
  const userId = await addUser(organization, email);
  return { organization, email, userId, person: personWith(email) };
}

describe('the membership of a person', () => {
  it('is made by a request that names the organization alone', async () => {
    const { organization, userId, person } = await scene();
    await expect(membershipOf(person)).rejects.toEqual(organizationRequired);
    expect(await signInsOf(organization, userId)).toBe(0);
    expect(await membershipsOf(person)).toMatchObject([{ organizationId: organization.id, userId, linked: false }]);
    const named = await membershipOf(person, organization.id);
    expect(named).toMatchObject({ organizationId: organization.id, userId, role: 'admin' });
    expect(await membershipOf(person)).toEqual(named);
    expect(await membershipsOf(person)).toMatchObject([{ organizationId: organization.id, userId, linked: true }]);
    expect(await signInsOf(organization, userId)).toBe(1);
  });

  it('counts once in the user, however many requests make it at the same moment', async () => {
    const { organization, email, userId, person } = await scene();
    const made = Array.from({ length: 20 }, () => membershipOf(person, organization.id));
    for (const each of await Promise.all(made)) expect(each.userId).toBe(userId);
    expect(await signInsOf(organization, userId)).toBe(1);
    await membershipOf(personWith(email), organization.id);
    expect(await signInsOf(organization, userId)).toBe(2);
  });

  it('is that of an active user alone, linked or not', async () => {
    const { organization, email, userId, person } = await scene();
    const known = await membershipOf(person, organization.id);
    await change(organization, userId, removal);
    for (const by of [person, personWith(email)]) {
      await expect(membershipOf(by, organization.id)).rejects.toEqual(notAMember);
      await expect(membershipOf(by)).rejects.toEqual(organizationRequired);
    }
    await expect(membershipOf(person, organization.id, known)).rejects.toEqual(notAMember);
    await expect(membershipOf(person, undefined, known)).rejects.toEqual(organizationRequired);
    expect(await membershipsOf(person)).toEqual([]);
    expect(await signInsOf(organization, userId)).toBe(0);
  });

  it.each([
    ['the removal of its user', removal],
    ['another email of its user', readdressing],
  ])('passes on to the next user with the email after %s, and is counted there', async (_, end) => {
    const { organization, email, userId, person } = await scene();
    const known = await membershipOf(person, organization.id);
    await change(organization, userId, end);
    const next = await addUser(organization, email, 'member');
    await expect(membershipOf(person, undefined, known)).rejects.toEqual(organizationRequired);
    for (const each of await atOnce(person, organization.id, known)) {
      expect(each).toMatchObject({ userId: next, role: 'member' });
    }
    expect(await membershipOf(person)).toMatchObject({ userId: next });
    expect(await Promise.all([userId, next].map((id) => signInsOf(organization, id)))).toEqual([0, 1]);
  });

  it('may be made again by the same email after it was ended', async () => {
    const { organization, userId, person } = await scene();
    const known = await membershipOf(person, organization.id);
    await change(organization, userId, ending);
    expect(await signInsOf(organization, userId)).toBe(0);
    await expect(membershipOf(person, undefined, known)).rejects.toEqual(organizationRequired);
    for (const each of await atOnce(person, organization.id, known)) expect(each).toMatchObject({ userId });
    expect(await signInsOf(organization, userId)).toBe(1);
  });

  it('is the only one again when its user in the other organization is removed', async () => {
    const { organization: first, email, userId, person } = await scene();
    const second = await given.organization();
    const other = await addUser(second, email, 'member');
    for (const { id } of [first, second]) await membershipOf(person, id);
    await expect(membershipOf(person)).rejects.toEqual(organizationRequired);
    await change(second, other, removal);
    expect(await membershipOf(person)).toMatchObject({ userId });
  });

  it('is no longer the only one once another is linked', async () => {
    const { organization: first, email, person } = await scene();
    const second = await given.organization();
    const known = await membershipOf(person, first.id);
    await addUser(second, email);
    expect((await membershipsOf(person)).map(({ organizationId }) => organizationId)).toEqual([second.id, first.id]);
    expect(await membershipOf(person, undefined, known)).toEqual(known);
    // Whichever of the two the function has seen.
    for (const seen of [known, await membershipOf(person, second.id)]) {
      await expect(membershipOf(person, undefined, seen)).rejects.toEqual(organizationRequired);
    }
  });

  it('is found in one trip where nothing has changed since the function saw it, and the longer way else', async () => {
    const [{ organization, person }, other] = [await scene(), await scene()];
    const known = await membershipOf(person, organization.id);
    const foreign = await membershipOf(other.person, other.organization.id);
    const cost = (organizationId?: string, seen?: Membership) =>
      costOf(async () => expect(await membershipOf(person, organizationId, seen)).toEqual(known));
    expect(await cost(organization.id, known)).toMatchObject({ calls: 1, roundTrips: 1, readUnits: 2 });
    expect(await cost(undefined, known)).toMatchObject({ calls: 2, roundTrips: 1, readUnits: 3 });
    expect(await cost(organization.id)).toMatchObject({ calls: 2, roundTrips: 2, readUnits: 3 });
    expect(await cost(undefined, foreign)).toMatchObject({ calls: 4, roundTrips: 3 });
  });

  it('shows a new role', async () => {
    const { organization, userId, person } = await scene();
    const known = await membershipOf(person, organization.id);
    await set(userKey(organization.id, userId), 'role', 'member');
    expect(await membershipOf(person, organization.id, known)).toMatchObject({ role: 'member' });
  });

  it('gives no rights by what only a newer version knows', async () => {
    const { organization, userId, person } = await scene();
    const user = userKey(organization.id, userId);
    await set(user, 'role', 'owner');
    expect(await membershipOf(person, organization.id)).toMatchObject({ role: 'member' });
    for (const key of [user, organizationKey(organization.id)]) {
      await set(key, 'status', 'suspended');
      await expect(membershipOf(person, organization.id)).rejects.toEqual(notAMember);
      await set(key, 'status', 'active');
    }
    expect(await membershipOf(person, organization.id)).toMatchObject({ userId });
  });

  it.each([
    ['before its user is read', BatchGetCommand],
    ['before the link is written', TransactWriteCommand],
  ])('is not made by an email that its user loses %s', async (_, awaited) => {
    for (const end of [removal, readdressing]) {
      const { organization, userId, person } = await scene();
      beforeCalls((command) => command instanceof awaited, [() => change(organization, userId, end)]);
      await expect(membershipOf(person, organization.id)).rejects.toEqual(notAMember);
      expect(await membershipsOf(person)).toEqual([]);
      expect(await signInsOf(organization, userId)).toBe(0);
      vi.restoreAllMocks();
    }
  });

  it('is told of also where its write fails, which may have been made all the same', async () => {
    const { organization, userId, person } = await scene();
    const told = vi.fn(async () => {});
    const lost = new Error('The answer was lost.');
    beforeCalls((command) => command instanceof TransactWriteCommand, [() => Promise.reject(lost)]);
    await expect(membershipAt(person, organization.id, undefined, new Date(), told)).rejects.toBe(lost);
    expect(told).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ userId }));
  });

  it('is a change of its user, which refuses one that was read before', async () => {
    const { organization, userId, person } = await scene();
    const before = await readUser(organization.id, userId);
    await membershipOf(person, organization.id);
    await expect(saveUser(organization.id, before, readdressing(before), [])).rejects.toThrow();
    expect(await signInsOf(organization, userId)).toBe(1);
  });

  it('says why it is refused', async () => {
    const { organization, email, userId, person } = await scene();
    await membershipOf(person, organization.id);
    await change(organization, userId, readdressing);
    const why = async (by: Person) => {
      const refusal = await membershipOf(by, organization.id).catch((error) => error);
      expect(refusal).toEqual(notAMember);
      return refusal.message;
    };
    expect(await why(person)).toContain('Your link to one has ended.');
    expect(await why(personWith(email))).toContain('No active user has your email.');
    expect(await why(personWith(null))).toContain('Your token has no email.');
  });
});
