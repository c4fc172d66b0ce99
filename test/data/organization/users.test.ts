import { expect, it } from 'vitest';
import { ensureUser, readUsers } from '#shared/data/organization/users.ts';
import { given } from '#test/support/given.ts';

it('a user is made once, however many mention it for the first time at the same moment', async () => {
  const { id } = await given.organization();
  const mentions = ['Dov', 'Eve', 'dov', 'Dov'].map((name) => ensureUser(id, name, async () => []));
  const [dov, eve, ...others] = await Promise.all(mentions);
  expect(others.map((user) => user.id)).toEqual([dov?.id, dov?.id]);
  expect(eve?.id).not.toBe(dov?.id);
  expect((await readUsers({ organizationId: id, limit: 50, offset: 0 })).total).toBe(2);
});
