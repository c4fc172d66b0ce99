import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { readLinkNames } from '#shared/data/tracker/links.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';

it('the names of links cost one call: to the directory that a function holds, or for a single one to its item', async () => {
  const callsOf = async (...asked: Parameters<typeof readLinkNames>) =>
    (await costOf(() => readLinkNames(...asked))).calls;
  const ana = await given.user();
  const { id: organizationId } = ana.organization;
  const { id: clientId } = await given.client(ana);
  const { id: projectId } = await given.project(ana, { clientId });
  await readDirectory(organizationId);
  expect(await callsOf(organizationId, { projectId, clientId })).toBe(1);
  expect(await callsOf(randomUUID(), { projectId: randomUUID(), clientId: null })).toBe(1);
  expect(await callsOf(randomUUID(), { projectId: null, clientId: randomUUID() })).toBe(1);
  expect(await callsOf(organizationId, { projectId: null, clientId: null })).toBe(0);
});
