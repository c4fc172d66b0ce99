import { InternalServerError, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { v7 as uuidV7 } from 'uuid';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionKey, importJobKey } from '#shared/data/layout/keys.ts';
import {
  beginSync,
  endSync,
  getConnection,
  leaseConnections,
  noteProgress,
  removeConnection,
  saveConnection,
} from '#shared/data/remote/connection.ts';
import { database } from '#shared/data/table/database.ts';
import { readItem } from '#shared/data/table/item.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { put, unread } from '#shared/data/table/writes.ts';
import { reviseSettings, syncTimeout } from '#shared/domain/remote/connection.ts';
import { NO_PROGRESS } from '#shared/domain/remote/sync-progress.ts';
import { MAX_RECEIVES, queues } from '#shared/queues.ts';
import { schedules } from '#shared/schedules.ts';
import { saveCredential } from '#test/support/syncs.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');

describe('due connections', () => {
  const metadata = { $metadata: {}, message: 'made for a test' };
  const dynamo = mockClient(database);
  const due = () => ({ organizationId: uuidV7(), dueAt: NOW.toISOString() });

  beforeEach(() => dynamo.reset());
  afterAll(() => dynamo.restore());

  it('are taken without one that somebody else is writing', async () => {
    const [first, second, third] = [due(), due(), due()];
    dynamo.on(UpdateCommand).resolvesOnce({}).rejectsOnce(new TransactionConflictException(metadata)).resolves({});
    expect(await leaseConnections([first, second, third], NOW)).toEqual([first, third]);
  });

  it('are not thought to be taken when the table fails', async () => {
    dynamo.on(UpdateCommand).rejects(new InternalServerError(metadata));
    await expect(leaseConnections([due()], NOW)).rejects.toThrow('made for a test');
  });
});

/** @returns the organization of a connection whose sync has begun */
async function syncing(): Promise<string> {
  const organizationId = uuidV7();
  await saveCredential({ organizationId, userId: uuidV7() });
  const saved = await getConnection(organizationId);
  await saveConnection(saved, reviseSettings(saved, { syncEnabled: true }), []);
  await beginSync(organizationId, { jobId: 'job', at: NOW.toISOString() }, NOW, []);
  return organizationId;
}

it.each<[string, (organizationId: string) => Promise<unknown>]>([
  ['was taken as due', async (id) => leaseConnections([await getConnection(id)], NOW)],
  ['has ended its sync', (id) => endSync(id, 'job', { entriesImported: 0, problem: null }, [])],
])('a connection that %s since it was read is not saved', async (_, happen) => {
  const organizationId = await syncing();
  const read = await getConnection(organizationId);
  await happen(organizationId);
  await expect(saveConnection(read, { ...read, accountName: 'Initrode' }, [])).rejects.toThrow(ConditionFailed);
  expect(await removeConnection(organizationId, [])).toBe(true);
});

it.each([
  ['the same account keeps', '1', expect.any(String)],
  ['another account loses', '2', undefined],
])('a connection to %s what its item has beside it', async (_, accountId, leasedBy) => {
  const organizationId = await syncing();
  await leaseConnections([await getConnection(organizationId)], NOW);
  const leased = await getConnection(organizationId);
  await saveConnection(leased, { ...leased, accountId, accountName: 'Initrode' }, []);
  expect((await readItem(connectionKey(organizationId)))?.leasedBy).toEqual(leasedBy);
  await removeConnection(organizationId, []);
});

it('a sync begins while no import of it is there, or under way after its time', async () => {
  const organizationId = await syncing();
  const late = new Date(NOW.getTime() + 3_600_000);
  const begins = async (jobId: string, now: Date) =>
    (await beginSync(organizationId, { jobId, at: now.toISOString() }, now, [])) !== undefined;
  const importIs = (status: string) => transact([put({ ...importJobKey(organizationId, 'job'), status }, unread)]);
  await importIs('processing');
  expect([await begins('job', NOW), await begins('other', late)]).toEqual([false, false]);
  await importIs('failed');
  expect([await begins('job', NOW), await begins('other', late)]).toEqual([false, true]);
  await removeConnection(organizationId, []);
});

it('a sync goes no further where its connection waits for another one, or is gone', async () => {
  const organizationId = await syncing();
  const goesOn = (jobId: string) => noteProgress(organizationId, jobId, NO_PROGRESS);
  expect([await goesOn('job'), await goesOn('other')]).toEqual([true, false]);
  await removeConnection(organizationId, []);
  expect(await goesOn('job')).toBe(false);
});

it('the lease of a connection outlasts all deliveries of its message', () => {
  const minutes = (Date.parse(syncTimeout(NOW)) - NOW.getTime()) / 60_000;
  const queue = queues.find(({ name }) => name === 'syncs');
  // As `test/infra/queues.test.ts` asks of each queue.
  const hiddenMinutes = ((queue?.timeoutSeconds ?? Number.NaN) + 30) / 60;
  expect(minutes).toBeGreaterThan(hiddenMinutes * MAX_RECEIVES);
});

it('the schedule looks at connections often enough for the shortest interval', () => {
  expect(schedules.find(({ name }) => name === 'sync-scheduler')?.everyMinutes).toBeLessThanOrEqual(5);
});
