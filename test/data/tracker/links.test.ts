import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { assertRatesOfUsers, readLinkNames } from '#shared/data/tracker/links.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

let ana: User;
let client: Json;
let project: Json;

beforeAll(async () => {
  ana = await given.user();
  client = await given.client(ana);
  project = await given.project(ana, { clientId: client.id });
});

const callsOf = async (read: () => Promise<unknown>) => (await costOf(read)).calls;

describe('the names of links', () => {
  it('cost one call: to the directory that a function holds, or for a single one to its item', async () => {
    const { id: organizationId } = ana.organization;
    await readDirectory(organizationId);
    const both = { projectId: project.id, clientId: client.id };
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
  it('cost one call to be looked at, and none where they were kept', async () => {
    const rates = [{ userId: ana.userId, rate: '70' }];
    const look = (kept: Json[]) => callsOf(() => assertRatesOfUsers(ana.organization.id, rates, kept));
    expect([await look([]), await look(rates)]).toEqual([1, 0]);
  });
});
