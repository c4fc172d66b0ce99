import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { emailKey, type Key, userKey } from '#shared/data/layout/keys.ts';
import type { NamedOrganization } from '#shared/data/organization/organizations.ts';
import { membershipOf, membershipsOf } from '#shared/data/sign-in/memberships.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import type { Person } from '#shared/domain/person.ts';
import { given } from '#test/support/given.ts';
import { addUser, newEmail } from '#test/support/person.ts';

const personWith = (email: string | null): Person => ({
  issuer: 'https://issuer.example',
  subject: randomUUID(),
  email,
});

async function set(key: Key, attribute: string, value: unknown): Promise<void> {
  await database.send(
    new UpdateCommand({
      TableName: TABLE_NAME,
      Key: key,
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

/** As the removal of a user does: its email is free from then on. */
async function removeUser({ id }: NamedOrganization, userId: string, email: string): Promise<void> {
  await set(userKey(id, userId), 'status', 'removed');
  await transact([remove(emailKey(id, email))]);
}

const notAMember = expect.objectContaining({ code: 'not_a_member' });

describe('the membership of a person', () => {
  it('is that of an active user alone, linked or not', async () => {
    const organization = await given.organization();
    const email = newEmail();
    const userId = await addUser(organization, email);
    const person = personWith(email);
    const known = await membershipOf(person);
    expect(known).toMatchObject({ organizationId: organization.id, userId, role: 'admin' });
    await removeUser(organization, userId, email);
    for (const id of [undefined, organization.id]) {
      await expect(membershipOf(person, id)).rejects.toEqual(notAMember);
      await expect(membershipOf(person, id, known)).rejects.toEqual(notAMember);
      await expect(membershipOf(personWith(email), id)).rejects.toEqual(notAMember);
    }
    expect(await membershipsOf(person)).toEqual([]);
  });

  it('is that of the next user with the email, after the former was removed', async () => {
    const organization = await given.organization();
    const email = newEmail();
    const former = await addUser(organization, email);
    const person = personWith(email);
    const known = await membershipOf(person);
    await removeUser(organization, former, email);
    const next = await addUser(organization, email, 'member');
    expect(await membershipOf(person, organization.id, known)).toMatchObject({ userId: next, role: 'member' });
    expect(await membershipOf(person)).toMatchObject({ userId: next });
  });

  it('is the only one again when its user in the other organization is removed', async () => {
    const [first, second] = [await given.organization(), await given.organization()];
    const email = newEmail();
    const [userId, other] = [await addUser(first, email), await addUser(second, email)];
    const person = personWith(email);
    for (const { id } of [first, second]) await membershipOf(person, id);
    await expect(membershipOf(person)).rejects.toMatchObject({ code: 'organization_required' });
    await removeUser(second, other, email);
    expect(await membershipOf(person)).toMatchObject({ userId });
  });

  it('is no longer the only one once another is linked', async () => {
    const [first, second] = [await given.organization(), await given.organization()];
    const email = newEmail();
    const person = personWith(email);
    await addUser(first, email);
    const known = await membershipOf(person);
    await addUser(second, email);
    expect(await membershipOf(person, undefined, known)).toEqual(known);
    await membershipOf(person, second.id);
    await expect(membershipOf(person, undefined, known)).rejects.toMatchObject({ code: 'organization_required' });
  });

  it('shows a new role', async () => {
    const organization = await given.organization();
    const email = newEmail();
    const userId = await addUser(organization, email);
    const person = personWith(email);
    const known = await membershipOf(person);
    await set(userKey(organization.id, userId), 'role', 'member');
    expect(await membershipOf(person, organization.id, known)).toMatchObject({ role: 'member' });
  });

  it('is not made by an email that another user gets, or that is withdrawn, at the same moment', async () => {
    const organization = await given.organization();
    const email = newEmail();
    await addUser(organization, email);
    const person = personWith(email);
    const { send } = database;
    const spy = vi.spyOn(database, 'send').mockImplementation(async (command, ...others) => {
      // Between the read and the link.
      if (command.constructor.name === 'BatchGetCommand') {
        spy.mockRestore();
        const found = await send.call(database, command, ...others);
        await set(emailKey(organization.id, email), 'userId', randomUUID());
        return found;
      }
      return send.call(database, command, ...others);
    });
    await expect(membershipOf(person)).rejects.toEqual(notAMember);
    await transact([remove(emailKey(organization.id, email))]);
    await expect(membershipOf(person)).rejects.toEqual(notAMember);
  });

  it('is found in one trip by a function that knows it, however it was found', async () => {
    const organization = await given.organization();
    const email = newEmail();
    await addUser(organization, email);
    const person = personWith(email);
    const known = await membershipOf(person);
    for (const id of [undefined, organization.id]) {
      const underWay: string[] = [];
      const { send } = database;
      const spy = vi.spyOn(database, 'send').mockImplementation(async (command, ...others) => {
        underWay.push('begun');
        const answer = await send.call(database, command, ...others);
        underWay.push('done');
        return answer;
      });
      await membershipOf(person, id, known);
      spy.mockRestore();
      expect(underWay.indexOf('done')).toBe(underWay.length / 2);
    }
  });
});
