import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { getMe } from '#shared/contract/organization/get-me.ts';
import { getOrganization } from '#shared/contract/organization/get-organization.ts';
import { listUsers } from '#shared/contract/organization/list-users.ts';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { costOf } from '#test/support/capacity.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/** What the organization, its users and the caller cost to read. */

const USERS = 120;

describe('capacity', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    for (let i = 1; i < USERS; i++) await ensureUser(ana.organization.id, `User ${i}`);
    await invoke(updateOrganization, ana, { body: updateOrganization.example.body });
  }, 120_000);

  it('of the organization is one read of one unit', async () => {
    const cost = await costOf(async () => expect((await invoke(getOrganization, ana)).status).toBe(200));
    expect(cost).toMatchObject({ calls: 1, readUnits: 1, writeUnits: 0 });
  });

  it('of who is asking is one read of three items', async () => {
    const cost = await costOf(async () => expect((await invoke(getMe, ana)).status).toBe(200));
    expect(cost).toMatchObject({ calls: 1, readUnits: 3, writeUnits: 0 });
  });

  it.each([
    ['the first page', {}, { calls: 2, roundTrips: 1, readUnits: 5 }],
    ['one user', { limit: '1' }, { calls: 2, roundTrips: 1, readUnits: 2 }],
    ['a page behind the end', { offset: '120' }, { calls: 1, roundTrips: 1, readUnits: 1 }],
    ['a page far behind the end', { offset: '9007199254740991' }, { calls: 1, roundTrips: 1, readUnits: 1 }],
  ])('of users grows with what is shown: %s', async (_page, query, expected) => {
    const cost = await costOf(async () => {
      const reply = await invoke(listUsers, ana, { query });
      expect(reply).toMatchObject({ status: 200, meta: { total: USERS } });
    });
    expect(cost).toMatchObject({ ...expected, writeUnits: 0 });
  });

  it('of a change that changes nothing is its read alone', async () => {
    const body = updateOrganization.example.body;
    const cost = await costOf(async () => expect((await invoke(updateOrganization, ana, { body })).status).toBe(200));
    expect(cost).toMatchObject({ calls: 1, readUnits: 1, writeUnits: 0 });
  });

  it('of a change is one transaction, and a rename writes its two names as well', async () => {
    const change = (body: object) =>
      costOf(async () => expect((await invoke(updateOrganization, ana, { body })).status).toBe(200));
    expect(await change({ city: 'Bonn' })).toMatchObject({ roundTrips: 2, readUnits: 1, writeUnits: 2 });
    expect(await change({ name: randomUUID() })).toMatchObject({ roundTrips: 2, readUnits: 1, writeUnits: 6 });
  });
});
