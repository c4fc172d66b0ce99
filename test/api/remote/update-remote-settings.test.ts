import { describe, expect, it } from 'vitest';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';

const path = '/v1/work/tracker/remote/settings';

describe('PATCH /v1/work/tracker/remote/settings', () => {
  it('switches the sync on and off, keeps the interval that is not sent, and leaves no event where nothing differs', async () => {
    const bea = await given.user();
    await given.connection(bea);
    const on = await bea.patch(path, { syncEnabled: true, syncIntervalMinutes: 15 });
    expect(on.status).toBe(200);
    expect(on.body.data).toMatchObject({ connected: true, syncEnabled: true, syncIntervalMinutes: 15 });
    const off = await bea.patch(path, { syncEnabled: false });
    expect(off.body.data).toMatchObject({ syncEnabled: false, syncIntervalMinutes: 15 });
    const end = await presentEnd(bea);
    await bea.patch(path, { syncEnabled: false, syncIntervalMinutes: 15 });
    expect(await happenedSince(bea, end)).toEqual([]);
    expect((await bea.get('/v1/work/tracker/remote')).body.data).toEqual(off.body.data);
  });

  it('answers 404 where there is no connection, whatever is sent', async () => {
    const bea = await given.user();
    for (const body of [{ syncEnabled: true }, {}, { syncIntervalMinutes: 1 }]) {
      const reply = await bea.patch(path, body);
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
    }
  });

  it('loses no change when connects and settings come at once', async () => {
    const bea = await given.user();
    const account = await given.connection(bea);
    const { accessToken, accountId } = account;
    await account.change({ companyName: 'Renamed' });
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => bea.post('/v1/work/tracker/remote/connect', { accessToken, accountId })),
      ...Array.from({ length: 5 }, () => bea.patch(path, { syncEnabled: true, syncIntervalMinutes: 42 })),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await bea.get('/v1/work/tracker/remote')).body.data).toMatchObject({
      accountName: 'Renamed',
      syncEnabled: true,
      syncIntervalMinutes: 42,
    });
  });
});
