import { describe, expect, it } from 'vitest';
import { findConnection, getConnection, saveConnection } from '#shared/data/remote/connection.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { reviseSettings } from '#shared/domain/remote/connection.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

const path = '/v1/work/tracker/remote';

describe('DELETE /v1/work/tracker/remote', () => {
  it('removes the credential and the settings of the sync', async () => {
    const ana = await given.user();
    const account = await given.connection(ana);
    await ana.patch(`${path}/settings`, { syncEnabled: true, syncIntervalMinutes: 15 });
    const reply = await ana.delete(path);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ data: { connected: false } });
    expect((await ana.get(path)).body).toEqual({ data: { connected: false } });
    expect(await findConnection(ana.organization.id)).toBeUndefined();

    const { accessToken, accountId } = account;
    const again = await ana.post(`${path}/connect`, { accessToken, accountId });
    expect(again.body.data).toMatchObject({ syncEnabled: false, syncIntervalMinutes: 60 });
  });

  it('answers 404 where there is no connection, also the second time, and leaves one event', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const end = await presentEnd(ana);
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await ana.delete(path)).status));
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(404)]);
    const reply = await ana.delete(path);
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
    const disconnected = ['remote.disconnected', { type: 'remote', id: ana.organization.id }];
    expect(await happenedSince(ana, end)).toEqual([disconnected]);
  });

  it('ends in one state when settings and a disconnect come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const ana = await given.user();
      await given.connection(ana);
      const [gone, ...replies] = await Promise.all([
        ana.delete(path),
        ...Array.from({ length: 4 }, () => ana.patch(`${path}/settings`, { syncEnabled: true })),
      ]);
      expect(gone.status).toBe(200);
      for (const { status } of replies) expect([200, 404]).toContain(status);
      expect((await ana.get(path)).body.data).toEqual({ connected: false });
    }
  });

  it('leaves no way for a change that has read the old connection to bring its credential back', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const old = await getConnection(ana.organization.id);
    await ana.delete(path);
    const { accountId } = await given.connection(ana);
    const changed = reviseSettings(old, { syncEnabled: true });
    await expect(saveConnection(old, changed, [])).rejects.toThrow(ConditionFailed);
    expect(await getConnection(ana.organization.id)).toMatchObject({ accountId, syncEnabled: false });
  });
});
