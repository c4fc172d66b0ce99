import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { handler as closeImport } from '#functions/remote/close-import.ts';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { importDueKey, importJobKey } from '#shared/data/layout/keys.ts';
import {
  closeImport as close,
  closeImports,
  getImport,
  listOverdueImports,
  noteSent,
} from '#shared/data/remote/imports.ts';
import { readItem } from '#shared/data/table/item.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { update } from '#shared/data/table/writes.ts';
import { overdueAt } from '#shared/domain/remote/import-job.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { deleteOrganization, erase } from '#test/support/deletions.ts';
import { eventsOf, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { deliver, importBy, row, useHeldQueue } from '#test/support/imports.ts';
import { beforeCalls, transactionsOf } from '#test/support/interleaving.ts';

const queue = useHeldQueue();

it('what a worker does for a person who has signed in, that person did', async () => {
  const ana = await given.user();
  const end = await presentEnd(ana);
  const request = importBy(ana, [row()], { keyId: null });
  const { organizationId, jobId } = request;
  await startImport(request);
  const message = { organizationId, jobId, units: [] };
  await deliver(closeImport, message);
  const events = await eventsOf(ana, end);
  const actor = { userId: ana.userId, keyId: null, via: 'sign_in' };
  expect(events.map(({ type, data }) => [type, data.object.id, data.actor])).toEqual([
    ['import.started', jobId, actor],
    ['import.failed', jobId, actor],
  ]);
});

it('an import that no schedule began ends by one transaction, after that of its unit', async () => {
  await startImport(importBy(await given.user(), [row()]));
  const transactions = await transactionsOf(async () => {
    for (const message of queue.messages.splice(0)) expect(await deliver(importChunk, message)).toBe(true);
  });
  expect(transactions).toHaveLength(2);
});

it('an import whose rows were all sent is looked after once its worker has had the time, and not before', async () => {
  const ana = await given.user();
  const job = await startImport(importBy(ana, [row()]));
  const { organizationId, id } = job;
  const item = await readItem(importJobKey(organizationId, id));
  expect(item).toMatchObject(importDueKey(organizationId, id, overdueAt(job, 'sent')));
});

it('an import whose organization is gone has nothing left to end', async () => {
  const message = { organizationId: randomUUID(), jobId: randomUUID(), units: [] };
  for (const worker of [importChunk, closeImport]) expect(await deliver(worker, message)).toBe(true);
});

it('an import that is refused has ended at once, and nobody looks after it', async () => {
  const ana = await given.user();
  const clients = new Map([['Acme', randomUUID()]]);
  const mappings = { clients, projects: new Map(), users: new Map() };
  const request = importBy(ana, [row({ client: 'Acme' })], { mappings });
  await expect(startImport(request)).rejects.toThrow();
  expect(await getImport(request.organizationId, request.jobId)).toMatchObject({ unitCount: 0, dedupedCount: 0 });
  const tomorrow = new Date(Date.now() + 86_400_000);
  const overdue = await listOverdueImports(tomorrow);
  expect(overdue.filter(({ organizationId }) => organizationId === ana.organization.id)).toEqual([]);
});

it('an import that has ended since the index was read is not overdue, and one is not begun twice', async () => {
  const request = importBy(await given.user(), [row()]);
  const job = await startImport(request);
  await expect(startImport(request)).rejects.toThrow(ConditionFailed);
  const isRead = (command: object) => command instanceof GetCommand && `${command.input.Key?.sk}`.includes(job.id);
  beforeCalls(isRead, [() => close(job, 'imported', new Date(), [])]);
  const overdue = await listOverdueImports(new Date(Date.now() + 2 * 86_400_000));
  vi.restoreAllMocks();
  expect(await getImport(job.organizationId, job.id)).toMatchObject({ status: 'imported' });
  expect(overdue.filter(({ id }) => id === job.id)).toEqual([]);
});

it('an import that is closed stays as it was closed first, and what may not be written beside it is told', async () => {
  const ana = await given.user();
  const job = await startImport(importBy(ana, [row()]));
  const { organizationId, id } = job;
  const now = new Date(Date.now() + 1_000);
  const missing = update(importJobKey(organizationId, randomUUID()), {
    UpdateExpression: 'SET a = :a',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':a': 1 },
  });
  await expect(close(job, 'failed', now, [missing])).rejects.toThrow(ConditionFailed);
  expect(await getImport(organizationId, id)).toMatchObject({ status: 'processing' });
  await close(job, 'failed', now, []);
  await close(job, 'imported', now, []);
  const gone = { ...job, id: randomUUID() };
  for (const each of [job, gone]) await noteSent(each);
  expect((await readItem(importJobKey(organizationId, id)))?.dueSk).toBeUndefined();
  expect(await readItem(importJobKey(organizationId, gone.id))).toBeUndefined();
  expect((await costOf(() => closeImports(organizationId, now))).calls).toBe(1);
  expect((await costOf(() => getImport(organizationId, id))).calls).toBe(1);
  const closedAt = now.toISOString();
  expect(await getImport(organizationId, id)).toMatchObject({
    status: 'failed',
    completedAt: closedAt,
    updatedAt: closedAt,
  });
});

it('an import whose organization is erased has ended before anything else of it goes', async () => {
  const ana = await given.user();
  const { organizationId, id } = await startImport(importBy(ana, [row()]));
  await deleteOrganization(ana);
  const statuses: string[] = [];
  const look = async () => statuses.push((await getImport(organizationId, id)).status);
  beforeCalls((command) => command instanceof BatchWriteCommand, [look]);
  expect(await erase(ana)).toBe(true);
  vi.restoreAllMocks();
  expect(statuses).toEqual(['failed']);
});
