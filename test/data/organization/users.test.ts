import { DeleteCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getMe } from '#shared/contract/organization/organization.ts';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { countKey, userKey } from '#shared/data/dynamo/keys.ts';
import { ensureUser, readUsers } from '#shared/data/organization/users.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';

/** Users of organizations from before users lay by their id, and users that are made at the worst moment. */

afterEach(() => vi.restoreAllMocks());

const OLD = ['Ana', 'Bea', 'Cem'];

/** An organization as an older version has left it: its users lie by their names alone, and are not counted. */
async function oldOrganization(): Promise<User> {
  const [ana, ...others] = await inTurn(OLD, (name, organization) => given.user({ name, organization }));
  if (!ana) throw new Error('There is no user.');
  const { id } = ana.organization;
  const keys = [...[ana, ...others].map(({ userId }) => userKey(id, userId)), countKey(id, 'USER')];
  for (const Key of keys) await database.send(new DeleteCommand({ TableName: TABLE_NAME, Key }));
  return ana;
}

async function inTurn(
  names: readonly string[],
  make: (name: string, organization: User['organization']) => Promise<User>,
): Promise<User[]> {
  const organization = await given.organization();
  const made: User[] = [];
  for (const name of names) made.push(await make(name, organization));
  return made;
}

async function listed(organizationId: string, limit = 50, offset = 0) {
  const { items, total } = await readUsers({ organizationId, limit, offset });
  return { names: items.map(({ name }) => name), total };
}

describe('users of an older version', () => {
  let ana: User;
  let organizationId: string;

  beforeEach(async () => {
    ana = await oldOrganization();
    organizationId = ana.organization.id;
  });

  it('are listed newest first, and told their names', async () => {
    expect(await listed(organizationId)).toEqual({ names: ['Cem', 'Bea', 'Ana'], total: 3 });
    expect(await listed(organizationId, 1, 1)).toEqual({ names: ['Bea'], total: 3 });
    expect((await invoke(getMe, ana)).data).toMatchObject({ userId: ana.userId, userName: 'Ana' });
  });

  it('are counted with the next new user, and keep their ids', async () => {
    expect(await ensureUser(organizationId, 'ANA')).toEqual({ id: ana.userId, name: 'Ana' });
    await ensureUser(organizationId, 'Dov');
    expect(await listed(organizationId)).toEqual({ names: ['Dov', 'Cem', 'Bea', 'Ana'], total: 4 });
    expect((await invoke(getMe, ana)).data.userName).toBe('Ana');
  });

  it('are counted once, however many new users come at the same moment', async () => {
    await Promise.all(['Dov', 'Eve', 'Flo', 'Dov'].map((name) => ensureUser(organizationId, name)));
    const { names, total } = await listed(organizationId);
    expect({ names: names.toSorted(), total }).toEqual({ names: [...OLD, 'Dov', 'Eve', 'Flo'], total: 6 });
  });

  it('are counted once when another new user comes just before the count is written', async () => {
    beforeCalls((command) => command instanceof TransactWriteCommand, [() => ensureUser(organizationId, 'Dov')]);
    await ensureUser(organizationId, 'Eve');
    expect(await listed(organizationId)).toMatchObject({ total: 5 });
  });
});

describe('a new user, wherever the request dies', () => {
  useKilling();

  it('is one of the users, or leaves them as they were', { timeout: 120_000 }, async () => {
    const run = async (death?: Death) => {
      const { id } = (await oldOrganization()).organization;
      const { calls } = await mayDie(death, () => ensureUser(id, 'Dov'));
      const { names, total } = await listed(id);
      expect(names.filter((name) => name !== 'Dov')).toEqual(['Cem', 'Bea', 'Ana']);
      expect(total).toBe(names.length);
      await ensureUser(id, 'Dov');
      expect(await listed(id)).toEqual({ names: ['Dov', 'Cem', 'Bea', 'Ana'], total: 4 });
      return calls;
    };
    for (const death of deathsOf(await run())) await run(death);
  });
});
