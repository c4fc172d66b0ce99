import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { expect, it, vi } from 'vitest';
import { countKey } from '#shared/data/layout/keys.ts';
import {
  ensureUser,
  findOldestAdmin,
  insertUser,
  ROOM_BESIDE_A_USER,
  readUser,
  readUsers,
  saveUser,
} from '#shared/data/organization/users.ts';
import { database } from '#shared/data/table/database.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { check, IS_ABSENT } from '#shared/data/table/writes.ts';
import { MAX_USERS, newUser } from '#shared/domain/organization/users.ts';
import { addClient } from '#test/support/directories.ts';
import { given } from '#test/support/given.ts';

it('a user is made once, however many mention it for the first time at the same moment', async () => {
  const { id } = await given.organization();
  const mentions = ['Dov', 'Eve', 'dov', 'Dov'].map((name) => ensureUser(id, name, async () => []));
  const [dov, eve, ...others] = await Promise.all(mentions);
  expect(others.map((user) => user.id)).toEqual([dov?.id, dov?.id]);
  expect(eve?.id).not.toBe(dov?.id);
  expect((await readUsers({ organizationId: id, limit: 50, offset: 0 })).total).toBe(2);
});

it('a first mention that finds no room for its user is refused', async () => {
  const { id } = await given.organization();
  await transact([increase(countKey(id, 'USER'), { active: MAX_USERS })]);
  const errors = [expect.objectContaining({ path: 'user' })];
  const refused = { code: 'too_many_users', details: { errors } };
  await expect(ensureUser(id, 'Ana', async () => [])).rejects.toMatchObject(refused);
});

it('the oldest admin is looked for row by row', async () => {
  const { id } = await given.organization();
  const ana = await ensureUser(id, 'Ana', async () => []);
  await insertUser(id, newUser({ name: 'Bea', role: 'member' }, uuidV7(), new Date()), '', []);
  const send = vi.spyOn(database, 'send');
  expect(await findOldestAdmin(id)).toBe(ana.id);
  const queries = send.mock.calls.flatMap(([command]) => (command instanceof QueryCommand ? command.input : []));
  expect(queries).toMatchObject([{ Limit: 1 }]);
});

it('a change of all that a user has leaves as much room in its transaction as others may take, and no more', async () => {
  const { id: organizationId } = await given.organization();
  const { id } = await ensureUser(organizationId, 'Ana', async () => []);
  await ensureUser(organizationId, 'Bea', async () => []);
  // The next change of the directory moves those before it.
  await addClient(organizationId, 'Acme');
  const invitation = { hash: uuidV7(), expiresAt: new Date().toISOString() };
  const ana = await readUser(organizationId, id);
  await saveUser(organizationId, ana, { ...ana, email: `${id}@acme.example`, invitation }, []);
  const before = await readUser(organizationId, id);
  const after = { ...before, name: 'Cem', email: `cem-${id}@acme.example`, role: 'member', invitation: null } as const;
  const save = (count: number) => {
    const others = Array.from({ length: count }, () => check({ pk: uuidV7(), sk: uuidV7() }, IS_ABSENT));
    return saveUser(organizationId, before, after, others);
  };
  await expect(save(ROOM_BESIDE_A_USER + 1)).rejects.toMatchObject({ name: 'ValidationException' });
  await save(ROOM_BESIDE_A_USER);
  expect(await readUser(organizationId, id)).toMatchObject({ name: 'Cem', role: 'member' });
});
