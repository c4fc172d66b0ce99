import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { importDueKey } from '#shared/data/layout/keys.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import type { Json } from '#test/support/client.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { questionsTo } from '#test/support/remote-account.ts';
import { type Synced, useSyncs } from '#test/support/syncs.ts';

/** EventBridge delivers a tick at least once, and Lambda keeps it for as long as five minutes. */

const own = useOwnCloud();
const syncs = useSyncs();

const REMOTE = '/v1/work/tracker/remote';

/** Whole seconds, as the clock of events has. */
const START = new Date(Math.floor(Date.now() / 1_000) * 1_000);
const minutesAfter = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

const synced = () => syncs({ entries: [{ date: START.toISOString().slice(0, 10) }] });

const tick = (...times: readonly Date[]) =>
  Promise.all(times.map((time) => own.cloud.fireSchedule('sync-scheduler', time)));

const sweep = (...times: readonly Date[]) =>
  Promise.all(times.map((time) => own.cloud.fireSchedule('sweep-imports', time)));

const jobs = async ({ by }: Synced): Promise<Json[]> => (await by.get(`${REMOTE}/sync/history`)).body.data;

const entries = async ({ by }: Synced): Promise<Json[]> => (await by.get('/v1/work/tracker/entries')).body.data;

/** Waits for the sync of this time. */
const ended = ({ by }: Synced, time: Date): Promise<Json> =>
  eventually(async () => {
    const shown = (await by.get(REMOTE)).body.data;
    return shown.lastSyncAt === time.toISOString() ? shown : undefined;
  });

/** Lets the index show the sweep that the organization's import was due, as it said before all rows were sent. */
function showOverdue({ by }: Synced, time: Date): () => void {
  return own.cloud.intercept(async (call) => {
    if (!isOf(call, 'sweep-imports') || call.operation !== 'Query') return undefined;
    const [job] = (await listImports(by.organization.id, { limit: 1, offset: 0 })).items;
    const Items = [marshall(importDueKey(by.organization.id, job?.id ?? '', time.toISOString()))];
    return { status: 200, body: JSON.stringify({ Items, Count: 1, ScannedCount: 1 }) };
  });
}

const statuses = async (of: Synced) => (await jobs(of)).map(({ status }) => status);

describe('ticks of the scheduler', () => {
  it('that come twice sync once', async () => {
    const ana = await synced();
    await tick(START, START);
    expect(await ended(ana, START)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncEntriesImported: 1 });
    await tick(START);
    expect(await questionsTo(ana.account)).toHaveLength(1);
    expect(await statuses(ana)).toEqual(['imported']);
    expect(await entries(ana)).toHaveLength(1);
  });

  it('that come late, behind the next one, sync nothing again and leave nothing out', async () => {
    const ana = await synced();
    await tick(minutesAfter(5));
    await ended(ana, minutesAfter(5));
    await tick(START, minutesAfter(5));
    const bob = await synced();
    await tick(minutesAfter(10));
    await ended(bob, minutesAfter(10));
    expect(await questionsTo(ana.account)).toHaveLength(1);
    await tick(minutesAfter(65));
    await ended(ana, minutesAfter(65));
    expect(await statuses(ana)).toEqual(['imported']);
  });
});

describe('ticks of the sweep', () => {
  it('that come twice, late, or with a late index end an import once, and disturb none that goes on', async () => {
    const ana = await synced();
    const importer = own.hold('import-chunk');
    await tick(START);
    await importer.reached;
    await sweep(START, START, minutesAfter(-5));
    expect(await statuses(ana)).toEqual(['processing']);
    const endStale = showOverdue(ana, START);
    await sweep(minutesAfter(11));
    endStale();
    expect(await statuses(ana)).toEqual(['processing']);
    const nextDay = minutesAfter(25 * 60);
    await sweep(nextDay, nextDay);
    await sweep(START, nextDay);
    importer.release();
    expect(await statuses(ana)).toEqual(['failed']);
    expect(await getConnection(ana.by.organization.id)).toMatchObject({ failures: 1, sync: null });
    await tick(minutesAfter(60));
    expect(await ended(ana, minutesAfter(60))).toMatchObject({ lastSyncStatus: 'succeeded' });
    expect(await entries(ana)).toHaveLength(1);
  });
});
