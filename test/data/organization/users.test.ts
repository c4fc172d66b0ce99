import { afterEach, describe, expect, it, vi } from 'vitest';
import { ensureUser, readUsers } from '#shared/data/organization/users.ts';
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
