import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { assertRatesOfUsers, readLinkNames, withUserRates } from '#shared/data/tracker/links.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

let ana: User;
let client: Json;
let plain: Json;
let rated: Json;

beforeAll(async () => {
  ana = await given.user();
  client = await given.client(ana);
  plain = await given.project(ana, { clientId: client.id });
  rated = await given.project(ana, { userRates: [{ userId: ana.userId, rate: '70' }] });
});

const callsOf = async (read: () => Promise<unknown>) => (await costOf(read)).calls;

describe('the names of links', () => {
  it('cost one call: to the directory that a function holds, or for a single one to its item', async () => {
    const { id: organizationId } = ana.organization;
    await readDirectory(organizationId);
    const both = { projectId: plain.id, clientId: client.id };
    expect(await callsOf(() => readLinkNames(organizationId, both))).toBe(1);
    for (const [link, none] of [
      ['projectId', 'clientId'],
      ['clientId', 'projectId'],
    ] as const) {
      const single = { ...both, [link]: randomUUID(), [none]: null };
      expect(await callsOf(() => readLinkNames(randomUUID(), single))).toBe(1);
    }
    expect(await callsOf(() => readLinkNames(organizationId, { projectId: null, clientId: null }))).toBe(0);
  });
});

describe('the rates of users', () => {
  it('are read of the wanted projects alone that have some', async () => {
    const { projects } = await readDirectory(ana.organization.id);
    const read = (...ids: (string | null)[]) => callsOf(() => withUserRates(ana.organization.id, projects, ids));
    expect([await read(), await read(null)]).toEqual([0, 0]);
    expect([await read(plain.id), await read(rated.id, plain.id, rated.id)]).toEqual([0, 1]);
  });

  it('cost one call to be looked at, and none where they were kept', async () => {
    const rates = [{ userId: ana.userId, rate: '70' }];
    const look = (kept: Json[]) => callsOf(() => assertRatesOfUsers(ana.organization.id, rates, kept));
    expect([await look([]), await look(rates)]).toEqual([1, 0]);
  });
});
