import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { SCHEDULE } from '#shared/domain/events/happening.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { undoImport } from '#shared/work/remote/undo-import.ts';
import { given, type User } from '#test/support/given.ts';
import { deliver, importBy, row, useHeldQueue } from '#test/support/imports.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const queue = useHeldQueue();

let ana: User;

beforeEach(async () => {
  ana = await given.user();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** @returns its undoing, with so many milliseconds left */
async function imported(rows: readonly RemoteRow[]) {
  const { organizationId, jobId } = importBy(ana, rows);
  await startImport(importBy(ana, rows, { jobId }));
  for (const message of queue.messages.splice(0)) expect(await deliver(importChunk, message)).toBe(true);
  const job = await getImport(organizationId, jobId);
  const undo = (left: number) => withDeadline(left, () => undoImport(job, SCHEDULE, new Date(), async () => []));
  return { id: jobId, undo };
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
