import { beforeEach, expect, it } from 'vitest';
import { readHeldBack } from '#shared/data/remote/held-back.ts';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import type { RemoteEntry } from '#test/support/provider.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { day, daysAskedOf, hoursAfter, minutesOf, syncAt, useSyncs } from '#test/support/syncs.ts';

/** Rows that a sync leaves because their days are closed, until these are open again. */

const own = useOwnCloud();
const synced = useSyncs();

const REMOTE = '/v1/work/tracker/remote';

const work = (id: number, date: string, hours: number, changedAt: number): RemoteEntry => ({
  ...{ id, date, hours, notes: `${id}` },
  updatedAt: hoursAfter(changedAt).toISOString(),
});

let by: User;
let account: RemoteAccount;

beforeEach(async () => {
  ({ by, account } = await synced());
});

const minutes = () => minutesOf(by);

const lock = async (lockedThrough: string | null) =>
  expect((await by.patch('/v1/organization', { lockedThrough })).status).toBe(200);

const jobs = async () => {
  const { data } = (await by.get(`${REMOTE}/sync/history`)).body;
  return data.map(({ importedCount, updatedCount, lockedCount }: Json) => [importedCount, updatedCount, lockedCount]);
};

const sync = (hours: number) => syncAt(own.cloud, by, hoursAfter(hours));

const daysAsked = () => daysAskedOf(account);

it('brings what came and what changed there by the first sync after the unlock, counts it once, and asks for no other day', async () => {
  await account.change({ entries: [work(1, day(-5), 1, -9), work(2, day(-2), 1, -9)] });
  await sync(0);
  expect(await minutes()).toEqual({ 1: 60, 2: 60 });
  await lock(day(-4));
  await account.change({ entries: [work(1, day(-5), 2, 0.5), work(3, day(-4), 3, 1.9), work(2, day(-2), 2, 1.9)] });
  await sync(2);
  await sync(3);
  await sync(4);
  expect(await minutes()).toEqual({ 1: 60, 2: 120 });
  expect(await jobs()).toEqual([
    [0, 1, 2],
    [2, 0, 0],
  ]);
  await lock(day(-5));
  await sync(6);
  expect(await minutes()).toEqual({ 1: 60, 2: 120, 3: 180 });
  await lock(null);
  await sync(8);
  expect(await minutes()).toEqual({ 1: 120, 2: 120, 3: 180 });
  expect(await daysAsked()).toEqual([day(-4), day(-5)]);
  expect((await jobs())[0]).toEqual([0, 1, 0]);
  await sync(10);
  expect(await readHeldBack({ organizationId: by.organization.id, accountId: account.accountId })).toEqual([]);
  expect(await daysAsked()).toEqual([day(-4), day(-5)]);
});

it('forgets what is older than the days that a schedule compares', async () => {
  await account.change({ entries: [] });
  await sync(0);
  await lock(day(-1));
  await account.change({ entries: [work(1, day(-91), 1, 0.5), work(2, day(-89), 1, 0.5)] });
  await sync(2);
  expect(await jobs()).toEqual([[0, 0, 2]]);
  await lock(null);
  await sync(4);
  expect(await minutes()).toEqual({ 2: 60 });
  expect(await daysAsked()).toEqual([day(-89)]);
});

it('brings what a confirm has left there, too', async () => {
  await account.change({ entries: [work(1, day(-5), 1, -9)] });
  await lock(day(-4));
  const { rows } = (await by.post(`${REMOTE}/sync/preview`)).body.data;
  expect(rows).toMatchObject([{ status: 'new', isLocked: true }]);
  const confirmed = await by.post(`${REMOTE}/sync/confirm`, { rows });
  expect(confirmed.body.data).toMatchObject({ importedCount: 0, skippedCount: 1, lockedCount: 1 });
  await lock(null);
  await sync(0);
  expect(await minutes()).toEqual({ 1: 60 });
});
