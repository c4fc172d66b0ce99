import { expect, it } from 'vitest';
import { getRemote } from '#shared/contract/remote/get-remote.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

const path = getRemote.path;

it('answers that there is no connection, and nothing else, where there is none', async () => {
  const ana = await given.user();
  const reply = await ana.get(path);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ data: { connected: false } });
});

it('answers the safe status, without the credential, the account id or who has connected', async () => {
  const ana = await given.user();
  await given.connection(ana, { companyName: 'Initech' });
  expect((await ana.get(path)).body).toEqual({
    data: {
      connected: true,
      accountName: 'Initech',
      visibility: 'all',
      lastSyncAt: null,
      lastSyncStatus: 'idle',
      lastSyncProblem: null,
      lastSyncEntriesImported: 0,
      lastSyncUnusableEntries: 0,
      syncEnabled: false,
      syncIntervalMinutes: 60,
    },
  });
});

it('needs the scope of the remote import, and no other helps', async () => {
  const ana = await given.user({ scopes: ['tracker:read', 'tracker:write'] });
  expect((await ana.get(path)).status).toBe(403);
  const bea = await given.user({ organization: ana.organization, scopes: ['tracker:remote'] });
  expect((await bea.get(path)).status).toBe(200);
});

it('costs one round trip and one read unit', async () => {
  const ana = await given.user();
  await given.connection(ana);
  expect(await costOf(() => invoke(getRemote, ana))).toMatchObject({ roundTrips: 1, readUnits: 1, writeUnits: 0 });
});
