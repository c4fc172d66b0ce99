import { randomUUID } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { noteProviderAnswer, noteProviderFailure, readBreaker } from '#shared/data/remote/breaker.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { NO_PROGRESS } from '#shared/domain/remote/sync-progress.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { eventsOf, presentEnd } from '#test/support/events.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import type { Fault } from '#test/support/provider.ts';
import { questionsTo, type RemoteAccount } from '#test/support/remote-account.ts';
import { changeStoredConnection } from '#test/support/stored.ts';
import { day, hoursAfter, syncAt, syncEnded, useSyncs } from '#test/support/syncs.ts';

const TRACKER = '/v1/work/tracker';
const REMOTE = `${TRACKER}/remote`;

const own = useOwnCloud();
const synced = useSyncs();

const START = hoursAfter(0);
const minutesAfter = (minutes: number) => hoursAfter(minutes / 60);

const tick = (time: Date): Promise<void> => own.cloud.fireSchedule('sync-scheduler', time);

const status = async (by: User): Promise<Json> => (await by.get(REMOTE)).body.data;

const entries = async (by: User): Promise<Json[]> => (await by.get(`${TRACKER}/entries`, { limit: 200 })).body.data;

const jobs = async (by: User): Promise<Json[]> => (await by.get(`${REMOTE}/sync/history`)).body.data;

/**
 * Starts what is due and holds the user's import. What is reached first may be the last call of an earlier test's
 * import.
 *
 * @returns what lets it go on
 */
async function importHeld(by: User) {
  const importer = own.hold('import-chunk');
  await tick(START);
  await importer.reached;
  await eventually(async () => ((await jobs(by))[0]?.status === 'processing' ? true : undefined));
  return importer;
}

const sync = (by: User, time: Date) => syncAt(own.cloud, by, time);

/** What the provider was asked for: dates, or what has changed since a time. */
const windowsOf = async (account: RemoteAccount) =>
  (await questionsTo(account)).map((query) => query.get('updated_since') ?? [query.get('from'), query.get('to')]);

/** The types of the events behind a number, in which nobody acts. */
async function syncEventsOf(by: User, after: number): Promise<Json[]> {
  const events = await eventsOf(by, after);
  for (const { data } of events) expect(data.actor).toEqual({ userId: null, keyId: null, via: 'schedule' });
  return events.map(({ type }) => type);
}

describe('a scheduled sync', () => {
  it('imports what the provider has, in the name of who has connected, and says so', async () => {
    const { by } = await synced({ entries: [{ date: day(-2), hours: 1.5 }, { date: day(0) }, { date: day(-29) }] });
    const end = await presentEnd(by);
    expect(await status(by)).toMatchObject({ lastSyncAt: null, lastSyncStatus: 'idle' });
    expect(await sync(by, START)).toMatchObject({
      lastSyncAt: START.toISOString(),
      lastSyncStatus: 'succeeded',
      lastSyncEntriesImported: 3,
      syncEnabled: true,
    });
    expect((await entries(by)).map(({ userId, source, durationMinutes }) => [userId, source, durationMinutes])).toEqual(
      [
        [by.userId, 'remote_api', 60],
        [by.userId, 'remote_api', 90],
        [by.userId, 'remote_api', 60],
      ],
    );
    expect(await jobs(by)).toEqual([
      expect.objectContaining({ trigger: 'schedule', status: 'imported', rowCountTotal: 3, importedCount: 3 }),
    ]);
    const happened = ['import.started', 'entries.imported', 'import.imported'];
    expect(await syncEventsOf(by, end)).toEqual(happened);
    // There is nothing new.
    await sync(by, minutesAfter(60));
    expect(await syncEventsOf(by, end)).toEqual(happened);
  });

  it('links what is beyond doubt, by name or as it was confirmed before, and nothing else', async () => {
    const { by, account } = await synced();
    const client = await given.client(by, { name: 'globex' });
    const project = await given.project(by, { name: 'Web-Site', clientId: client.id });
    const confirmed = await given.project(by, { name: 'Something else' });
    const reply = await by.post(`${REMOTE}/sync/confirm`, {
      rows: [{ date: day(-1), durationMinutes: 1, project: 'Secret name' }],
      projectMapping: { 'Secret name': confirmed.id },
      clientMapping: {},
    });
    expect(reply.status).toBe(200);
    await account.change({
      entries: [
        { date: day(0), notes: 'by name', client: 'Globex', project: 'Website' },
        { date: day(0), notes: 'as confirmed', client: 'Nobody', project: 'Secret name' },
        { date: day(0), notes: 'unknown', client: 'Nobody', project: 'Nothing' },
      ],
    });
    expect(await sync(by, START)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncEntriesImported: 3 });
    const links = new Map((await entries(by)).map((entry) => [entry.description, [entry.clientId, entry.projectId]]));
    expect(links.get('by name')).toEqual([client.id, project.id]);
    expect(links.get('as confirmed')).toEqual([null, confirmed.id]);
    expect(links.get('unknown')).toEqual([null, null]);
  });

  it('books on users as they were confirmed, never by name, and else on the oldest active admin where who has connected was removed', async () => {
    const { by } = await synced({
      entries: [
        { date: day(-1), user: 'Ada Byron' },
        { date: day(-1), user: 'Unknown' },
      ],
    });
    const { organization } = by;
    const ada = await given.user({ organization, role: 'member' });
    const rows = [{ date: day(-40), durationMinutes: 1, user: 'Ada Byron' }];
    await by.post(`${REMOTE}/sync/confirm`, { rows, userMapping: { 'Ada Byron': ada.userId } });
    const [removed, oldest] = [await given.user({ organization }), await given.user({ organization })];
    await given.user({ organization, name: 'Unknown' });
    for (const { userId } of [by, removed]) await removeUser(organization.id, userId);
    expect(await sync(oldest, START)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncEntriesImported: 2 });
    const owners = (await entries(oldest)).slice(0, 2).map(({ userLabel, userId }) => [userLabel, userId]);
    expect(owners.sort()).toEqual([
      ['Ada Byron', ada.userId],
      ['Unknown', oldest.userId],
    ]);
  });

  it('does not bring back what was deleted or undone here; a confirm does', async () => {
    const remote = [1, 2].map((id) => ({ id, date: day(-1), notes: `${id}`, updatedAt: START.toISOString() }));
    const { by, account } = await synced({ entries: remote });
    await sync(by, START);
    const [deleted] = await entries(by);
    expect((await by.delete(`${TRACKER}/entries/${deleted?.id}`)).status).toBe(200);
    const [job] = await jobs(by);
    expect((await by.post(`${REMOTE}/sync/history/${job?.id}/undo`)).body.data.removedCount).toBe(1);
    expect(await sync(by, minutesAfter(60))).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncEntriesImported: 0 });
    expect(await entries(by)).toEqual([]);
    const { rows } = (await by.post(`${REMOTE}/sync/preview`, { dateFrom: day(-7), dateTo: day(0) })).body.data;
    expect(rows.map(({ status: shown }: Json) => shown)).toEqual(['new', 'new']);
    expect((await by.post(`${REMOTE}/sync/confirm`, { rows })).body.data.importedCount).toBe(2);
    await account.change({ entries: remote.map((entry) => ({ ...entry, notes: `${entry.notes} mended` })) });
    await sync(by, minutesAfter(120));
    expect((await entries(by)).map(({ description }) => description).sort()).toEqual(['1 mended', '2 mended']);
  });

  it('comes again after its interval and not before, whatever a confirm by hand does meanwhile', async () => {
    const { by, account } = await synced();
    await sync(by, START);
    await by.post(`${REMOTE}/sync/confirm`, { rows: [{ date: day(-1), durationMinutes: 1 }] });
    expect((await status(by)).lastSyncAt).toBe(START.toISOString());
    await tick(minutesAfter(59));
    expect(await sync(by, minutesAfter(60))).toMatchObject({ lastSyncStatus: 'succeeded' });
    expect(await windowsOf(account)).toHaveLength(2);
  });

  const changing = [5, 4].map((total_entries, position) => ({
    times: 1,
    body: { time_entries: [], total_entries, next_page: position === 0 ? 2 : null },
  }));

  it('leaves out what cannot be imported, brings the rest, and says how much it was', async () => {
    const updatedAt = START.toISOString();
    const odd = [
      { id: 7_101, date: day(-1), hours: -1, updatedAt },
      { id: 7_102, date: day(-1), currency: 'GBX', updatedAt },
    ];
    const { by, account } = await synced({ entries: [...odd, { id: 7_103, date: day(-1) }] });
    expect((await status(by)).lastSyncUnusableEntries).toBe(0);
    expect(await sync(by, START)).toMatchObject({
      lastSyncStatus: 'succeeded',
      lastSyncProblem: null,
      lastSyncEntriesImported: 1,
      lastSyncUnusableEntries: 2,
    });
    expect((await jobs(by))[0]).toMatchObject({ rowCountTotal: 1, importedCount: 1 });
    const mended = { hours: 1, currency: 'USD', updatedAt: minutesAfter(30).toISOString() };
    await account.change({ entries: odd.map((entry) => ({ ...entry, ...mended })) });
    expect(await sync(by, minutesAfter(60))).toMatchObject({ lastSyncEntriesImported: 2, lastSyncUnusableEntries: 0 });
  });

  it.each<[string, readonly Fault[], string, number]>([
    ['rejects the credential', [{ status: 401 }], 'remote_credential_rejected', 0],
    ['fails', [{ status: 500 }], 'remote_unavailable', 2],
    ['takes no more requests', [{ status: 429, headers: { 'retry-after': '60' } }], 'remote_throttled', 0],
    ['shows another list at each look', [changing, changing, changing, changing].flat(), 'remote_unavailable', 0],
  ])(
    'has failed where the provider %s: no import, and thirty days again the next time; all are failing only where it fails',
    async (_what, faults, problem, failures) => {
      const { by, account } = await synced({ entries: [{ date: day(-1) }] });
      await account.change({ faults: { time_entries: faults } });
      await noteProviderAnswer(await readBreaker());
      await noteProviderFailure(START);
      const end = await presentEnd(by);
      expect(await sync(by, START)).toMatchObject({
        lastSyncStatus: 'failed',
        lastSyncProblem: problem,
        lastSyncEntriesImported: 0,
      });
      expect(await jobs(by)).toEqual([]);
      expect(await syncEventsOf(by, end)).toEqual(['remote.sync_failed']);
      await expect.poll(async () => (await readBreaker()).failures).toBe(failures);
      await account.change({ faults: {} });
      const next = minutesAfter(60);
      expect(await sync(by, next)).toMatchObject({
        lastSyncStatus: 'succeeded',
        lastSyncProblem: null,
        lastSyncEntriesImported: 1,
      });
      const windows = await windowsOf(account);
      expect(windows[0]).toEqual([day(-30), day(1)]);
      const today = next.toISOString().slice(0, 10);
      expect(windows.at(-1)).toEqual([plusDays(today, -30), plusDays(today, 1)]);
    },
  );

  it('logs that it failed, and why, but neither the credential nor what the provider said', async () => {
    const { by, account } = await synced();
    await account.change({ faults: { time_entries: [{ status: 401, body: { error: account.accessToken } }] } });
    const lines: string[] = [];
    const end = own.cloud.logs.subscribe((line) => lines.push(JSON.stringify(line)));
    await sync(by, START);
    await expect.poll(() => lines.filter((line) => line.includes('sync failed'))).toHaveLength(1);
    end();
    expect(lines.find((line) => line.includes('sync failed'))).toContain('credential_rejected');
    expect(lines.find((line) => line.includes('sync failed'))).toContain(by.organization.id);
    expect(lines.join()).not.toContain(account.accessToken);
  });
});

describe('a connection', () => {
  it('is never synced twice at once', async () => {
    const { by, account } = await synced({ entries: [{ date: day(-1) }] });
    const importer = await importHeld(by);
    expect(await status(by)).toMatchObject({ lastSyncAt: null, lastSyncStatus: 'syncing' });
    const { organizationId, sync: underWay } = await getConnection(by.organization.id);
    for (const jobId of [underWay?.jobId ?? '', uuidV7(), uuidV7()]) {
      await deliver({ organizationId, jobId, at: START.toISOString() });
      await deliver({ organizationId, jobId, at: minutesAfter(600).toISOString() });
    }
    expect(await windowsOf(account)).toHaveLength(1);
    importer.release();
    expect(await syncEnded(by, START)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncEntriesImported: 1 });
    expect(await jobs(by)).toHaveLength(1);
  });

  it('is not synced for a message that comes too late: it was synced since, switched off, or removed', async () => {
    const { by, account } = await synced();
    await sync(by, START);
    const { organizationId } = await getConnection(by.organization.id);
    await deliver({ organizationId, jobId: uuidV7(), at: START.toISOString() });
    await by.patch(`${REMOTE}/settings`, { syncEnabled: false });
    await deliver({ organizationId, jobId: uuidV7(), at: minutesAfter(120).toISOString() });
    await by.delete(REMOTE);
    await deliver({ organizationId, jobId: uuidV7(), at: minutesAfter(120).toISOString() });
    expect(await windowsOf(account)).toHaveLength(1);
  });

  it('that was removed during its sync stays removed, and what was read is imported', async () => {
    const { by } = await synced({ entries: [{ date: day(-1) }] });
    const importer = await importHeld(by);
    expect((await by.delete(REMOTE)).status).toBe(200);
    importer.release();
    await eventually(async () => ((await jobs(by))[0]?.status === 'imported' ? true : undefined));
    expect(await status(by)).toEqual({ connected: false });
    expect(await entries(by)).toHaveLength(1);
  });

  it('of another account says nothing of the sync that was under way, and is due at once', async () => {
    const { by } = await synced({ entries: [{ date: day(-1) }] });
    const importer = await importHeld(by);
    await given.connection(by, { entries: [{ date: day(-2) }, { date: day(-3) }] });
    importer.release();
    await eventually(async () => ((await jobs(by))[0]?.status === 'imported' ? true : undefined));
    expect(await status(by)).toMatchObject({ lastSyncAt: null, lastSyncStatus: 'idle', syncEnabled: true });
    expect(await sync(by, minutesAfter(5))).toMatchObject({ lastSyncEntriesImported: 2 });
  });
});

it('a sync that never gets to its end is shown as failed, and does not keep the next from beginning', async () => {
  const { by } = await synced();
  const current = await getConnection(by.organization.id);
  // Nobody has heard of it since its half hour has passed, so that the scheduler takes the connection.
  const [at, until] = [minutesAfter(-60).toISOString(), minutesAfter(-30).toISOString()];
  const dead = { sync: { jobId: uuidV7(), at, until, reached: NO_PROGRESS, entriesBefore: 0 }, dueAt: until };
  await changeStoredConnection(current, (seen) => ({ ...seen, ...dead }));
  expect(await status(by)).toMatchObject({ lastSyncStatus: 'failed', lastSyncProblem: 'sync_interrupted' });
  const end = await presentEnd(by);
  expect(await sync(by, START)).toMatchObject({ lastSyncStatus: 'succeeded' });
  expect(await syncEventsOf(by, end)).toEqual(['remote.sync_failed']);
});

async function deliver(message: { organizationId: string; jobId: string; at: string }): Promise<void> {
  const attributes = { MessageGroupId: message.organizationId, ApproximateReceiveCount: '1' };
  const record = { messageId: randomUUID(), body: JSON.stringify(message), attributes, eventSourceARN: 'a:b:syncs' };
  const { payload } = await own.cloud.invoke('sync-connection', { Records: [record] });
  expect(JSON.parse(payload)).toEqual({ batchItemFailures: [] });
}
