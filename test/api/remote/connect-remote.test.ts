import { beforeAll, describe, expect, inject, it } from 'vitest';
import { getConnection } from '#shared/data/remote/connection.ts';
import { Client, type Json, type Reply } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { databaseFiles, logWith } from '#test/support/traces.ts';

const path = '/v1/work/tracker/remote';

const fresh = {
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
};

const connect = (by: Client, { accessToken, accountId }: Pick<RemoteAccount, 'accessToken' | 'accountId'>) =>
  by.post(`${path}/connect`, { accessToken, accountId });

const status = async (by: Client): Promise<Json> => (await by.get(path)).body.data;

describe('POST /v1/work/tracker/remote/connect', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the safe status of a fresh connection, and stores it', async () => {
    const bea = await given.user();
    const reply = await connect(bea, await given.remoteAccount());
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ data: fresh });
    expect(await status(bea)).toEqual(fresh);
  });

  it('answers 400 to a credential that the provider rejects, and stores nothing', async () => {
    const bea = await given.user();
    const reply = await connect(bea, await given.remoteAccount({ faults: { 'users/me': [{ status: 401 }] } }));
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'invalid_remote_credential', errors: [{ path: 'accessToken' }] });
    expect(await status(bea)).toEqual({ connected: false });
  });

  it('leaves an event that says whether there was a connection, and none where it stores nothing', async () => {
    const bea = await given.user();
    const account = await given.remoteAccount();
    const end = await presentEnd(bea);
    const rejected = await given.remoteAccount({ faults: { 'users/me': [{ status: 401 }] } });
    for (const each of [rejected, account, account, await given.remoteAccount()]) await connect(bea, each);
    const object = { type: 'remote', id: bea.organization.id };
    expect(await happenedSince(bea, end)).toEqual([
      ['remote.connected', object],
      ['remote.updated', object],
      ['remote.updated', object],
    ]);
  });

  it('answers the failure of a provider, and keeps the connection that there was', async () => {
    const bea = await given.user();
    const account = await given.connection(bea);
    const before = await getConnection(bea.organization.id);
    await account.change({ faults: { 'users/me': [{ status: 429, headers: { 'retry-after': '77' } }] } });
    const { status: code, headers, body } = await connect(bea, account);
    expect([code, body.code, headers.get('retry-after')]).toEqual([503, 'remote_throttled', '77']);
    expect(await getConnection(bea.organization.id)).toEqual(before);
  });

  it('replaces the credential and keeps the settings, with what is known of the last sync', async () => {
    const bea = await given.user();
    const account = await given.connection(bea);
    await bea.patch(`${path}/settings`, { syncEnabled: true, syncIntervalMinutes: 15 });
    const before = await getConnection(bea.organization.id);
    await account.change({ companyName: 'Initrode' });
    expect((await connect(bea, account)).body.data).toEqual({
      ...fresh,
      accountName: 'Initrode',
      syncEnabled: true,
      syncIntervalMinutes: 15,
    });
    const after = await getConnection(bea.organization.id);
    expect(after.encryptedToken).not.toBe(before.encryptedToken);
  });

  it('belongs to the organization, whoever of its users connects', async () => {
    const carl = await given.user({ organization: ana.organization });
    await connect(carl, await given.remoteAccount());
    expect((await getConnection(ana.organization.id)).userId).toBe(carl.userId);
    expect(await status(ana)).toEqual(await status(carl));
    expect(await status(await given.user())).toEqual({ connected: false });
  });

  it('leaves one whole connection when ten accounts are connected at once', async () => {
    const bea = await given.user();
    const accounts = await Promise.all(
      Array.from({ length: 10 }, (_, i) => given.remoteAccount({ companyName: `Company ${i}` })),
    );
    const replies = await Promise.all(accounts.map((account) => connect(bea, account)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    const { accountId, accountName } = await getConnection(bea.organization.id);
    expect(accountName).toBe(`Company ${accounts.findIndex((account) => account.accountId === accountId)}`);
  });
});

describe('an access token', () => {
  it('is in no answer, no log and not in the table, even when the provider repeats it', {
    timeout: 60_000,
  }, async () => {
    const account = await given.remoteAccount({ companyName: 'Good' });
    const { accessToken } = account;
    // Only functions of the cloud write to its log.
    const ana = new Client((await given.user()).apiKey, inject('baseUrl'));
    const replies: Reply[] = [await connect(ana, account)];
    const echo = { body: { error: accessToken, id: accessToken, name: accessToken, access_roles: [accessToken] } };
    for (const fault of [
      { status: 401, ...echo },
      { status: 422, ...echo },
      { times: 4, status: 503, ...echo },
      echo,
    ]) {
      await account.change({ faults: { 'users/me': [fault] } });
      replies.push(await connect(ana, account));
    }
    await account.change({ faults: { company: [echo] } });
    replies.push(await connect(ana, account));
    replies.push(
      await ana.post(`${path}/connect`, { accessToken: [accessToken], accountId: account.accountId }),
      await ana.post(`${path}/connect`, { accessToken, accountId: '' }),
      await ana.send('POST', `${path}/connect`, { rawBody: `{"accessToken": "${accessToken}` }),
      await ana.get(path),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 400, 502, 502, 502, 200, 422, 422, 400, 200]);
    for (const { body, headers } of replies) expect(JSON.stringify([body, [...headers]])).not.toContain(accessToken);
    expect(await logWith(replies)).not.toContain(accessToken);
    const table = await databaseFiles();
    expect(table.some((file) => file.includes(account.accountId))).toBe(true);
    for (const form of [accessToken, Buffer.from(accessToken).toString('base64')])
      expect(table.some((file) => file.includes(form))).toBe(false);
  });
});
