import { expect, it } from 'vitest';
import { getRemote } from '#shared/contract/remote/get-remote.ts';
import { given } from '#test/support/given.ts';

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
