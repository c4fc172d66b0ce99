import { expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { handler as sweepImports } from '#functions/remote/sweep-imports.ts';
import { handler as syncConnection } from '#functions/remote/sync-connection.ts';
import { noteProviderAnswer, noteProviderFailure, readBreaker } from '#shared/data/remote/breaker.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import type { SyncMessage } from '#shared/queue/sync-message.ts';
import type { User } from '#test/support/given.ts';
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
      await expectSynced(by, minutesAfter(0));
      continue;
    }
    ends.swept += 1;
    await sweepImports({ time: new Date(Date.now() + 11 * 60_000).toISOString() }, FUNCTION_CONTEXT);
    const swept = await getConnection(by.organization.id);
    expect(swept).toMatchObject({ sync: null, lastSyncStatus: 'failed', failures: 1, dueAt: minutesAfter(60) });
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
