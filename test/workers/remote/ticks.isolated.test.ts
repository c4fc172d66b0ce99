import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { importDueKey } from '#shared/data/layout/keys.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import type { Json } from '#test/support/client.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { type Synced, useSyncs } from '#test/support/syncs.ts';

/** EventBridge delivers a tick at least once, and Lambda keeps it for as long as five minutes. */

const own = useOwnCloud();
const syncs = useSyncs();

const REMOTE = '/v1/work/tracker/remote';

/** Whole seconds, as the clock of events has. */
const START = new Date(Math.floor(Date.now() / 1_000) * 1_000);
const minutesAfter = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

const tick = (time: Date) => own.cloud.fireSchedule('sync-scheduler', time);

const sweep = (...times: readonly Date[]) =>
  Promise.all(times.map((time) => own.cloud.fireSchedule('sweep-imports', time)));

/** Lets the index show the sweep that the organization's import was due, as it said before all rows were sent. */
function showOverdue({ by }: Synced, time: Date): () => void {
  return own.cloud.intercept(async (call) => {
    if (!isOf(call, 'sweep-imports') || call.operation !== 'Query') return undefined;
    const [job] = (await listImports(by.organization.id, { limit: 1, offset: 0 })).items;
    const Items = [marshall(importDueKey(by.organization.id, job?.id ?? '', time.toISOString()))];
    return { status: 200, body: JSON.stringify({ Items, Count: 1, ScannedCount: 1 }) };
  });
}

it('ticks of the sweep that come twice, late, or with a late index end an import once, and disturb none that goes on', async () => {
  const ana = await syncs({ entries: [{ date: START.toISOString().slice(0, 10) }] });
  const { by } = ana;
  const statuses = async () => (await by.get(`${REMOTE}/sync/history`)).body.data.map(({ status }: Json) => status);
  const importer = own.hold('import-chunk');
  await tick(START);
  await importer.reached;
  await sweep(START, START, minutesAfter(-5));
  expect(await statuses()).toEqual(['processing']);
  const endStale = showOverdue(ana, START);
  await sweep(minutesAfter(11));
  endStale();
  expect(await statuses()).toEqual(['processing']);
  const nextDay = minutesAfter(25 * 60);
  await sweep(nextDay, nextDay);
  await sweep(START, nextDay);
  importer.release();
  expect(await statuses()).toEqual(['failed']);
  expect(await getConnection(by.organization.id)).toMatchObject({ failures: 1, sync: null });
  await tick(minutesAfter(60));
  await expect.poll(async () => (await by.get(REMOTE)).body.data.lastSyncStatus).toBe('succeeded');
  expect((await by.get('/v1/work/tracker/entries')).body.meta.total).toBe(1);
});
