import { describe, expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { handler as sweepImports } from '#functions/remote/sweep-imports.ts';
import { handler as syncConnection } from '#functions/remote/sync-connection.ts';
import { noteProviderAnswer, noteProviderFailure, readBreaker } from '#shared/data/remote/breaker.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { readHeldBack } from '#shared/data/remote/held-back.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import type { SyncMessage } from '#shared/queue/sync-message.ts';
import { provider } from '#shared/remote/harvest.ts';
import { eventsOf } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { deliver, FUNCTION_CONTEXT, useHeldQueue } from '#test/support/imports.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { questionsTo } from '#test/support/remote-account.ts';
import { givenDueConnection, messageTo } from '#test/support/syncs.ts';

vi.hoisted(() => {
  process.env.QUEUE_URL_IMPORTS = 'https://queues.example/imports.fifo';
  process.env.SECRETS_KEY_ID = 'alias/billwright-secrets';
});

const queue = useHeldQueue();
useKilling();
useOwnCloud();

const ENTRIES = [{ date: '2026-11-18' }, { date: '2026-11-19' }, { date: '2026-11-20', project: 'Website' }];
const START = Date.parse('2026-11-21T10:00:00.000Z');
const minutesAfter = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

const connected = async () => (await givenDueConnection({ entries: ENTRIES })).by;

/**
 * Delivers a message to a worker that may die, then once more as SQS would, and then all that was sent to the importer,
 * twice.
 */
async function deliverAll(message: SyncMessage, death?: Death) {
  const ending = await mayDie(death, () => deliver(syncConnection, message));
  if (ending.outcome === 'killed') expect(await deliver(syncConnection, message)).toBe(true);
  const sent = queue.messages.splice(0);
  for (const each of [...sent, ...sent]) expect(await deliver(importChunk, each)).toBe(true);
  return ending;
}

const eventTypesOf = async (by: User) => (await eventsOf(by, 0, { type: 'import.*,remote.*' })).map(({ type }) => type);

async function expectSynced(by: User, at: string): Promise<void> {
  const connection = await getConnection(by.organization.id);
  expect(connection).toMatchObject({ sync: null, lastSyncAt: at, lastSyncStatus: 'succeeded', failures: 0 });
  const { body } = await by.get('/v1/work/tracker/entries');
  expect(body.meta.total).toBe(ENTRIES.length);
  const { items: jobs } = await listImports(by.organization.id, { limit: 10, offset: 0 });
  expect(jobs.reduce((sum, { importedCount }) => sum + importedCount, 0)).toBe(ENTRIES.length);
}

it('a sync is made good whenever its worker dies, before or after any of its writes', { timeout: 60_000 }, async () => {
  const clean = await connected();
  const { writes } = await deliverAll(messageTo(clean, minutesAfter(0)));
  await expectSynced(clean, minutesAfter(0));
  const ends = { redelivered: 0, swept: 0 };
  for (const death of deathsOf(writes)) {
    const by = await connected();
    const { outcome } = await deliverAll(messageTo(by, minutesAfter(0)), death);
    expect(outcome).toBe('killed');
    // Where it died between storing its import and sending all rows, the sweep ends both, and the next sync does the work.
    const { sync } = await getConnection(by.organization.id);
    if (sync === null) {
      ends.redelivered += 1;
      expect(await eventTypesOf(by)).toEqual(['import.started', 'import.imported']);
      await expectSynced(by, minutesAfter(0));
      continue;
    }
    ends.swept += 1;
    await sweepImports({ time: new Date(Date.now() + 11 * 60_000).toISOString() }, FUNCTION_CONTEXT);
    const swept = await getConnection(by.organization.id);
    expect(swept).toMatchObject({ sync: null, lastSyncStatus: 'failed', failures: 1, dueAt: minutesAfter(60) });
    expect(await eventTypesOf(by)).toEqual(['import.started', 'import.failed', 'remote.sync_failed']);
    await deliverAll(messageTo(by, swept.dueAt));
    await expectSynced(by, minutesAfter(60));
  }
  expect(ends.redelivered).toBeGreaterThan(ends.swept);
  expect(ends.swept).toBeGreaterThan(0);
});

it('a sync whose rows cannot be sent has failed, and the next one imports them', async () => {
  const by = await connected();
  queue.capacity = 0;
  const message = messageTo(by, minutesAfter(0));
  expect(await deliver(syncConnection, message)).toBe(false);
  queue.capacity = 1;
  expect(await deliver(syncConnection, message)).toBe(true);
  expect(queue.messages).toEqual([]);
  const failed = await getConnection(by.organization.id);
  expect(failed).toMatchObject({ sync: null, lastSyncStatus: 'failed', failures: 1, dueAt: minutesAfter(60) });
  expect(failed.lastSyncProblem).toBe('import_failed');
  expect(await eventTypesOf(by)).toEqual(['import.started', 'import.failed', 'remote.sync_failed']);
  await deliverAll(messageTo(by, failed.dueAt));
  await expectSynced(by, failed.dueAt);
});

it('a sync that is queued already asks nothing of a provider that is left alone by now', async () => {
  const { by, account } = await givenDueConnection({ entries: ENTRIES });
  for (let failures = 0; failures < 10; failures++) await noteProviderFailure(new Date());
  expect(await deliver(syncConnection, messageTo(by, minutesAfter(0)))).toBe(true);
  expect(await questionsTo(account)).toEqual([]);
  await noteProviderAnswer(await readBreaker());
  expect(await deliver(syncConnection, messageTo(by, minutesAfter(0)))).toBe(true);
  expect(await questionsTo(account)).not.toEqual([]);
});

/** Delivers a message, and all that it sends. */
async function work(message: SyncMessage): Promise<void> {
  expect(await deliver(syncConnection, message)).toBe(true);
  for (const each of [...queue.messages]) expect(await deliver(importChunk, each)).toBe(true);
}

describe('work that was corrected while an invoice had it', () => {
  const LATE = 26 * 60;
  const [held, freed] = [minutesAfter(120), minutesAfter(LATE)];

  async function invoiced() {
    const remote = { id: 1, date: '2026-11-19', updatedAt: minutesAfter(30) };
    const { by, account } = await givenDueConnection({ entries: [remote] });
    const { id: clientId } = await given.client(by, { name: 'Globex' });
    await work(messageTo(by, minutesAfter(0)));
    const timeEntries = { dateFrom: '2026-11-19', dateTo: '2026-11-19', groupBy: 'entry' };
    const { id } = await given.invoice(by, { clientId, timeEntries });
    const corrected = { ...remote, hours: 2, updatedAt: minutesAfter(90) };
    await account.change({ entries: [corrected] });
    queue.messages.length = 0;
    return { by, account, corrected, free: () => by.delete(`/invoices/${id}`) };
  }

  /** @returns how many writes the sync made until it ended or died */
  async function mayDieAt(message: SyncMessage, by: User, death?: Death): Promise<number> {
    const { outcome, writes } = await mayDie(death, () => work(message));
    if (outcome === 'killed') {
      expect(await deliver(syncConnection, message)).toBe(true);
      const sent = queue.messages.splice(0);
      for (const each of [...sent, ...sent]) expect(await deliver(importChunk, each)).toBe(true);
      const { sync } = await getConnection(by.organization.id);
      if (sync) await sweepImports({ time: new Date(Date.now() + 11 * 60_000).toISOString() }, FUNCTION_CONTEXT);
    }
    queue.messages.length = 0;
    return writes;
  }

  async function expectCorrected(by: User): Promise<void> {
    const { body } = await by.get('/v1/work/tracker/entries');
    expect(body.data).toMatchObject([{ durationMinutes: 120 }]);
    expect(await readHeldBack(await getConnection(by.organization.id))).toEqual([]);
  }

  it('is corrected once it is free, whenever a worker dies at one of its writes', { timeout: 120_000 }, async () => {
    const clean = await invoiced();
    const holding = await mayDieAt(messageTo(clean.by, held), clean.by);
    await clean.free();
    const correcting = await mayDieAt(messageTo(clean.by, freed), clean.by);
    await expectCorrected(clean.by);
    const deaths = [
      ...deathsOf(holding).map((death) => ({ ofHolding: death, ofCorrecting: undefined })),
      ...deathsOf(correcting).map((death) => ({ ofHolding: undefined, ofCorrecting: death })),
    ];
    for (const { ofHolding, ofCorrecting } of deaths) {
      const { by, free } = await invoiced();
      await mayDieAt(messageTo(by, held), by, ofHolding);
      // A sync that was swept has failed, and so the next one asks for the same changes again.
      await mayDieAt(messageTo(by, minutesAfter(240)), by);
      await free();
      await mayDieAt(messageTo(by, freed), by, ofCorrecting);
      await mayDieAt(messageTo(by, minutesAfter(2 * LATE)), by);
      await expectCorrected(by);
    }
  });

  it('is corrected in a part of its own if reading it again leaves too little time for what is new', async () => {
    const { by, account, corrected, free } = await invoiced();
    await mayDieAt(messageTo(by, held), by);
    await free();
    await account.change({ entries: [corrected, { id: 2, date: '2026-11-20', updatedAt: minutesAfter(LATE - 1) }] });
    let left = 60_000;
    const fetchRows = provider.fetchRows.bind(provider);
    vi.spyOn(provider, 'fetchRows').mockImplementation(async (...asked) => {
      const fetched = await fetchRows(...asked);
      left = 49_000;
      return fetched;
    });
    const context = { getRemainingTimeInMillis: () => left };
    expect(await deliver(syncConnection, messageTo(by, freed), context)).toBe(true);
    for (const each of queue.messages.splice(0)) expect(await deliver(importChunk, each)).toBe(true);
    await expectCorrected(by);
    const connection = await getConnection(by.organization.id);
    expect(connection).toMatchObject({ sync: null, lastSyncStatus: 'succeeded', reading: { at: freed } });
    expect(connection.dueAt < freed).toBe(true);
    await work(messageTo(by, minutesAfter(LATE + 5)));
    const { body } = await by.get('/v1/work/tracker/entries');
    expect(body.meta.total).toBe(2);
    const days = (await questionsTo(account)).filter((query) => query.get('to') === corrected.date);
    expect(days).toHaveLength(1);
  });
});
