import { afterEach, describe, expect, it, vi } from 'vitest';
import { ensureUser, findUser, insertUser, readUser, readUsers, saveUser } from '#shared/data/organization/users.ts';
import { newUser, reviseUser } from '#shared/domain/organization/users.ts';
import { given } from '#test/support/given.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';

afterEach(() => vi.restoreAllMocks());

async function listed(organizationId: string) {
  const { items, total } = await readUsers({ organizationId, limit: 50, offset: 0 });
  return { names: items.map(({ name }) => name), total };
}

describe('a user', () => {
  it('is made once, however many mention it for the first time at the same moment', async () => {
    const { id } = await given.organization();
    const mentions = ['Dov', 'Eve', 'dov', 'Dov'].map((name) => ensureUser(id, name));
    const [dov, eve, ...others] = await Promise.all(mentions);
    expect(others.map((user) => user.id)).toEqual([dov?.id, dov?.id]);
    expect(eve?.id).not.toBe(dov?.id);
    expect((await listed(id)).total).toBe(2);
  });
});

describe('a new user, wherever the request dies', () => {
  useKilling();

  it('is one of the users, or leaves them as they were', { timeout: 120_000 }, async () => {
    const run = async (death?: Death) => {
      const { id } = await given.organization();
      const { writes } = await mayDie(death, () => ensureUser(id, 'Dov'));
      expect((await listed(id)).names.length).toBe((await listed(id)).total);
      await ensureUser(id, 'Dov');
      expect(await listed(id)).toEqual({ names: ['Dov'], total: 1 });
      return writes;
    };
    for (const death of deathsOf(await run())) await run(death);
  });
});

describe('a change of name and email, wherever the request dies', () => {
  useKilling();

  it('takes effect or does not, and what the user does not have is free', async () => {
    const id = '01900000-0000-7000-8000-000000000001';
    const [old, wanted] = [
      { name: 'Dov', email: 'dov@acme.example' },
      { name: 'David', email: 'david@acme.example' },
    ] as const;
    const run = async (death?: Death) => {
      const { id: organizationId } = await given.organization();
      const now = new Date();
      await insertUser(organizationId, newUser({ ...old, role: 'member' }, id, now), '');
      const before = await readUser(organizationId, id);
      const { writes } = await mayDie(death, () => saveUser(organizationId, before, reviseUser(before, wanted, now)));
      const { name, email } = await readUser(organizationId, id);
      const isChanged = name === wanted.name;
      expect({ name, email }).toEqual(isChanged ? wanted : old);
      expect(await findUser(organizationId, name)).toEqual({ id });
      const next = newUser({ ...(isChanged ? old : wanted), role: 'member' }, id.replace(/1$/, '2'), now);
      await insertUser(organizationId, next, '');
      return { writes, isChanged };
    };
    const { writes } = await run();
    const outcomes: boolean[] = [];
    for (const death of deathsOf(writes)) outcomes.push((await run(death)).isChanged);
    expect(outcomes).toEqual([false, true]);
  });
});
