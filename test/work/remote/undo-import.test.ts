import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { projectKey } from '#shared/data/layout/keys.ts';
import { removalUpdate } from '#shared/data/remote/import-removals.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { SCHEDULE } from '#shared/domain/events/happening.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { undoImport } from '#shared/work/remote/undo-import.ts';
import { given, type User } from '#test/support/given.ts';
import { deliver, importBy, row, useHeldQueue } from '#test/support/imports.ts';
import { beforeCalls, beforeTransaction, transactionsOf } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const queue = useHeldQueue();

let ana: User;

beforeEach(async () => {
  ana = await given.user();
});

/** @returns its undoing, with so many milliseconds left */
async function imported(rows: readonly RemoteRow[], projects = new Map<string, string>()) {
  const request = importBy(ana, rows, { mappings: { clients: new Map(), projects, users: new Map() } });
  const { organizationId, jobId } = request;
  await startImport(request);
  for (const message of queue.messages.splice(0)) expect(await deliver(importChunk, message)).toBe(true);
  const job = await getImport(organizationId, jobId);
  const undo = (left: number) => withDeadline(left, () => undoImport(job, SCHEDULE, new Date(), async () => []));
  return { id: jobId, job, undo };
}

it('an undoing removes more as long as three seconds are left, and then tells how far it came', async () => {
  const { undo } = await imported(Array.from({ length: 60 }, (_, i) => row({ externalId: `${i}` })));
  vi.useFakeTimers({ toFake: ['Date'] });
  await expect(undo(2_999)).rejects.toThrow('enough for 0 of 60 entries');
  beforeTransaction(async () => vi.advanceTimersByTime(1));
  await expect(undo(3_000)).rejects.toThrow('enough for 46 of 60 entries');
  expect(await undo(3_000)).toMatchObject({ removedCount: 60 });
});

it('an undoing that another one has overtaken removes nothing of what that one kept', async () => {
  const { id, undo } = await imported(['2026-11-02', '2026-11-03'].map((date) => row({ date, externalId: date })));
  const lock = async (lockedThrough: string | null) =>
    expect((await ana.patch('/v1/organization', { lockedThrough })).status).toBe(200);
  beforeTransaction(async () => {
    await lock('2026-11-02');
    const { data } = await invoke(undoRemoteSync, ana, { params: { id } });
    expect(data).toMatchObject({ removedCount: 1, keptLockedCount: 1 });
    await lock(null);
  });
  await expect(undo(6_000)).rejects.toThrow(ConditionFailed);
});

it.each([
  ['some', 0, 2],
  ['none', 1, 1],
])('an undoing tells what another one removes as it ends, having removed %s itself', async (_, at, removedCount) => {
  const rows = [row({ externalId: '1' })];
  const imports = [await imported(rows), await imported(rows)];
  const { job, undo } = imports[at] as (typeof imports)[number];
  const isEnd = (command: object) =>
    command instanceof TransactWriteCommand &&
    (command.input.TransactItems ?? []).some(({ Update }) => Update?.UpdateExpression?.includes(':undone'));
  beforeCalls(isEnd, [() => transact([removalUpdate(job, 1)])]);
  expect(await undo(6_000)).toMatchObject({ removedCount });
});

it('an undoing finds out once that a project is gone', async () => {
  const { id } = await given.project(ana);
  const rows = Array.from({ length: 60 }, () => row({ project: 'P' }));
  const { undo } = await imported(rows, new Map([['P', id]]));
  await transact([remove(projectKey(ana.organization.id, id))]);
  const transactions = await transactionsOf(async () => {
    expect(await undo(9_000)).toMatchObject({ removedCount: 60 });
  });
  // One that fails, two that remove, and the end.
  expect(transactions).toHaveLength(4);
});
