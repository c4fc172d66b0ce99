import { expect, it } from 'vitest';
import { readVersion } from '#shared/data/directory/rows.ts';
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

it('only a change that the directory knows of becomes one of it', async () => {
  const ana = await given.user();
  const changed = async (path: string, body: object) => {
    const before = await readVersion(ana.organization.id);
    expect((await ana.patch(path, body)).status).toBe(200);
    return (await readVersion(ana.organization.id)) - before;
  };
  for (const [path, other] of [
    [`/v1/users/${(await given.colleague(ana)).id}`, { timeZone: 'Asia/Kolkata', role: 'admin' }],
    [`/clients/${(await given.client(ana)).id}`, { email: 'ap@globex.example' }],
    [`/v1/work/tracker/projects/${(await given.project(ana)).id}`, { code: 'A1' }],
  ] as const) {
    expect([await changed(path, other), await changed(path, { name: 'Other' })], path).toEqual([0, 1]);
  }
});
