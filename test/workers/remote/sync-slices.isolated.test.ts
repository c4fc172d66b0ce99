import { describe, expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { handler as syncConnection } from '#functions/remote/sync-connection.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { deliver, FUNCTION_CONTEXT, useHeldQueue } from '#test/support/imports.ts';
import { type Death, mayDie, useKilling } from '#test/support/kill.ts';
import { givenLaterItems } from '#test/support/later-items.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import type { RemoteEntry } from '#test/support/provider.ts';
import { questionsTo, type RemoteAccount } from '#test/support/remote-account.ts';
import { givenDueConnection, messageTo } from '#test/support/syncs.ts';

vi.hoisted(() => {
  process.env.QUEUE_URL_IMPORTS = 'https://queues.example/imports.fifo';
  process.env.SECRETS_KEY_ID = 'alias/billwright-secrets';
});

/** Importing thousands of rows takes long. */
vi.mock('#shared/remote/provider.ts', async (original) => ({ ...(await original<object>()), MAX_REMOTE_ENTRIES: 20 }));

const queue = useHeldQueue();
useKilling();
useOwnCloud();

const START = Date.parse('2026-11-21T10:00:00.000Z');
const minutesAfter = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
const day = (offset: number) => minutesAfter(offset * 1_440).slice(0, 10);

/** Entries of one hour each, spread over some days until today. */
const spread = (count: number, days: number, values: RemoteEntry = {}): RemoteEntry[] =>
  Array.from({ length: count }, (_, position) => ({ id: position + 1, date: day(-(position % days)), ...values }));

/** Delivers one message of the schedule, which may be the worker's death, and then whatever it sends to the importer. */
async function run(by: User, at: string, death?: Death) {
  const message = messageTo(by, at);
  const ending = await mayDie(death, () => deliver(syncConnection, message));
  const isDone = ending.outcome === 'killed' ? await deliver(syncConnection, message) : ending.outcome.value;
  expect(isDone).toBe(true);
  for (const each of queue.messages.splice(0)) expect(await deliver(importChunk, each)).toBe(true);
  return { ...ending, connection: await getConnection(by.organization.id) };
}

/** Runs the worker as often as it is due at once. @returns how often */
async function sync(by: User, at: string): Promise<number> {
  for (let runs = 1; runs <= MAX_RUNS; runs++) {
    const { connection } = await run(by, at);
    if (connection.dueAt > at) return runs;
  }
  throw new Error(`A sync has not ended after ${MAX_RUNS} runs.`);
}

const MAX_RUNS = 30;

const status = async (by: User): Promise<Json> => (await by.get('/v1/work/tracker/remote')).body.data;

async function totalOf(by: User): Promise<number> {
  return (await by.get('/v1/work/tracker/entries', { limit: 1 })).body.meta.total;
}

async function notesOf(by: User): Promise<string[]> {
  const { body } = await by.get('/v1/work/tracker/entries', { limit: 200 });
  return body.data.map(({ description }: Json) => description).sort();
}

/** How many questions were asked since an earlier count of them. */
async function questionsSince(account: RemoteAccount, before: number): Promise<string[]> {
  return (await questionsTo(account)).slice(before).map(String);
}

describe('a sync that finds more than is taken at once', () => {
  it('imports all of the last thirty days in parts, one import each, and says when it is through', async () => {
    const { by, account } = await givenDueConnection({ entries: spread(90, 30) });
    const { connection } = await run(by, minutesAfter(0));
    expect(connection).toMatchObject({ failures: 0, syncedUntil: null, comparedAt: null });
    expect(connection.dueAt < minutesAfter(0)).toBe(true);
    expect(await status(by)).toMatchObject({ lastSyncStatus: 'syncing', lastSyncProblem: null });
    await sync(by, minutesAfter(5));
    expect(await status(by)).toMatchObject({
      lastSyncAt: minutesAfter(5),
      lastSyncStatus: 'succeeded',
      lastSyncProblem: null,
      lastSyncEntriesImported: 90,
    });
    expect(await totalOf(by)).toBe(90);
    expect(await getConnection(by.organization.id)).toMatchObject({
      syncedUntil: minutesAfter(0),
      comparedAt: minutesAfter(0),
      reading: null,
      dueAt: minutesAfter(65),
    });
    const { items: jobs } = await listImports(by.organization.id, { limit: 20, offset: 0 });
    for (const { totalCount } of jobs) expect(totalCount).toBeLessThanOrEqual(20);
    const asked = await questionsSince(account, 0);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('imports all that has changed since the last one, whenever it was worked', async () => {
    const { by, account } = await givenDueConnection({});
    await sync(by, minutesAfter(0));
    const updatedAt = minutesAfter(30);
    const ends = ['1900-01-01', '2140-02-03'].map((date, position) => ({ id: 501 + position, date, updatedAt }));
    await account.change({ entries: [...spread(88, 400, { updatedAt }), ...ends] });
    await sync(by, minutesAfter(60));
    expect(await status(by)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncEntriesImported: 90 });
    expect(await totalOf(by)).toBe(90);
    expect(await getConnection(by.organization.id)).toMatchObject({ syncedUntil: minutesAfter(60), reading: null });
  });

  it('loses no change that is made while it is under way, on days that it has read or not', async () => {
    const entries = spread(40, 30, { notes: 'before' });
    const { by, account } = await givenDueConnection({ entries });
    expect((await run(by, minutesAfter(0))).connection.reading).not.toBeNull();
    const changed = { notes: 'changed meanwhile', updatedAt: minutesAfter(10) };
    await account.change({
      entries: entries.map((entry) =>
        entry.date === day(-29) || entry.date === day(0) ? { ...entry, ...changed } : entry,
      ),
    });
    await sync(by, minutesAfter(240));
    await sync(by, minutesAfter(300));
    const notes = await notesOf(by);
    expect(notes.filter((text) => text === changed.notes)).toHaveLength(3);
    expect(notes).toHaveLength(40);
  });

  it('keeps what a newer version wrote, and updates and adds entries beside it', async () => {
    const entries = spread(40, 30, { notes: 'before' });
    const { by, account } = await givenDueConnection({ entries });
    await run(by, minutesAfter(0));
    const lost = await givenLaterItems(by);
    await account.change({
      entries: entries.map((entry) => ({ ...entry, notes: 'after', updatedAt: minutesAfter(10) })),
    });
    await sync(by, minutesAfter(5));
    await sync(by, minutesAfter(240));
    expect(await notesOf(by)).toEqual(entries.map(() => 'after'));
    expect(await lost()).toEqual([]);
  });

  it('goes on where the provider has failed, and has said why', async () => {
    const { by, account } = await givenDueConnection({ entries: spread(40, 30) });
    await run(by, minutesAfter(0));
    await account.change({ faults: { time_entries: [{ status: 401 }] } });
    await run(by, minutesAfter(5));
    expect(await status(by)).toMatchObject({
      lastSyncStatus: 'failed',
      lastSyncProblem: 'remote_credential_rejected',
    });
    await account.change({ faults: {} });
    const before = (await questionsTo(account)).length;
    expect((await run(by, minutesAfter(60))).connection.failures).toBe(1);
    await sync(by, minutesAfter(65));
    expect(await status(by)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncProblem: null });
    expect(await totalOf(by)).toBe(40);
    for (const question of await questionsSince(account, before)) {
      expect(new URLSearchParams(question).get('from')?.localeCompare(day(-30))).toBeGreaterThan(0);
    }
  });

  it('leaves the next slice to the next run where little time is left', async () => {
    const { by } = await givenDueConnection({ entries: spread(40, 30, { hours: 0 }) });
    const clock = vi.spyOn(FUNCTION_CONTEXT, 'getRemainingTimeInMillis').mockReturnValue(49_999);
    expect(await sync(by, minutesAfter(0))).toBeGreaterThan(1);
    clock.mockRestore();
    const other = await givenDueConnection({ entries: spread(40, 30, { hours: 0 }) });
    expect(await sync(other.by, minutesAfter(0))).toBe(1);
  });
});

describe('a day with more than is taken at once', () => {
  const crowded = [
    ...spread(10, 10),
    ...spread(21, 1, { date: day(-5) }).map((entry) => ({ ...entry, id: undefined })),
  ];

  it('is why a sync stands still, which says so, and goes on when the day fits', async () => {
    const { by, account } = await givenDueConnection({ entries: crowded });
    await sync(by, minutesAfter(0));
    const stuck = { lastSyncStatus: 'failed', lastSyncProblem: 'too_many_remote_entries' };
    expect(await status(by)).toMatchObject(stuck);
    expect(await totalOf(by)).toBe(4);
    await sync(by, minutesAfter(60));
    expect(await status(by)).toMatchObject(stuck);
    expect(await getConnection(by.organization.id)).toMatchObject({ failures: 2, syncedUntil: null });
    await account.change({ entries: crowded.slice(0, -5) });
    await sync(by, minutesAfter(120));
    expect(await status(by)).toMatchObject({ lastSyncStatus: 'succeeded', lastSyncProblem: null });
    expect(await totalOf(by)).toBe(26);
  });
});
