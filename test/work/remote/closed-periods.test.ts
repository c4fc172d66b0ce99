import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { lockKey } from '#shared/data/layout/keys.ts';
import { readHeldBack } from '#shared/data/remote/held-back.ts';
import { database } from '#shared/data/table/database.ts';
import type { LockedThrough } from '#shared/domain/lock.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { deliver, entriesOf, expectEnded, importBy, row, useHeldQueue } from '#test/support/imports.ts';
import { beforeCalls } from '#test/support/interleaving.ts';

const queue = useHeldQueue();

const DAYS = ['2026-10-30', '2026-10-31', '2026-11-01'];

/** Units have rows of one day, in the order of days. */
const ROWS = DAYS.flatMap((date) =>
  Array.from({ length: 60 }, (_, i) => row({ date, externalId: `${date} ${i}`, client: date })),
);

const isOfUnit = (command: object): boolean =>
  command instanceof TransactWriteCommand &&
  (command.input.TransactItems ?? []).some(({ Update }) => Update?.UpdateExpression?.includes('doneUnitCount'));

/** Of the 60 rows of a day, a unit takes 46. */
it.each<[string, readonly LockedThrough[], number]>([
  ['closed at once', ['2026-10-31'], 120],
  ['closed after the first unit', [null, '2026-10-31'], 74],
  ['closed, and opened before what was refused is tried again', ['2026-10-31', null], 0],
  ['closed further at each attempt', ['2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01'], 134],
  ['closed and opened in turns', ['2026-10-31', '2026-10-30', '2026-10-31', null, '2026-11-01', '2026-10-30', null], 0],
])('a period that is %s takes no row while it is, and each row is there or waits', async (_, locks, locked) => {
  const ana = await given.user();
  const lock = async (lockedThrough: LockedThrough) =>
    expect((await ana.patch('/v1/organization', { lockedThrough })).status).toBe(200);
  const dates = async () => Map.groupBy(await entriesOf(ana, ROWS), ({ entryDate }) => entryDate);
  const request = importBy(ana, ROWS);
  await startImport(request);
  let closed: (() => Promise<void>) | undefined;
  const change = (lockedThrough: LockedThrough) => async () => {
    // From the answer of the last one on, nothing has come there.
    await closed?.();
    await lock(lockedThrough);
    const before = await dates();
    closed = async () => {
      const after = await dates();
      for (const day of DAYS.filter((date) => lockedThrough !== null && date <= lockedThrough)) {
        expect(after.get(day)?.length).toBe(before.get(day)?.length);
      }
    };
  };
  beforeCalls(isOfUnit, locks.map(change));
  for (const message of queue.messages.splice(0)) expect(await deliver(importChunk, message)).toBe(true);
  vi.restoreAllMocks();
  await closed?.();
  const { importedCount, lockedCount, dedupedCount } = await expectEnded(request);
  expect([importedCount, lockedCount, dedupedCount]).toEqual([ROWS.length - locked, locked, 0]);
  const [entries, waiting] = [await entriesOf(ana, ROWS), await readHeldBack(request)];
  expect([entries.length, waiting.length]).toEqual([importedCount, lockedCount]);
  expect(waiting.map(({ date }) => date)).toEqual(waiting.map(({ date }) => date).toSorted());
  expect(new Set([...entries.map(({ id }) => id), ...waiting.map(({ entryId }) => entryId)]).size).toBe(ROWS.length);
});

it('a closed period costs an import nothing that brings no row of it', async () => {
  const callsWhere = async (lockedThrough: LockedThrough) => {
    const ana = await given.user();
    await ana.patch('/v1/organization', { lockedThrough });
    await startImport(importBy(ana, [row({ date: '2026-11-01' })]));
    const [message] = queue.messages.splice(0);
    return (await costOf(async () => expect(message && (await deliver(importChunk, message))).toBe(true))).calls;
  };
  expect(await callsWhere('2026-10-31')).toBe(await callsWhere(null));
});

it('an import that tries again for a project that was deleted does not ask which period is closed', async () => {
  const ana = await given.user();
  const { id } = await given.project(ana);
  const mappings = { clients: new Map(), projects: new Map([['P', id]]), users: new Map() };
  const request = importBy(ana, [row({ project: 'P' })], { mappings });
  await startImport(request);
  await ana.delete(`/v1/work/tracker/projects/${id}`);
  const send = vi.spyOn(database, 'send');
  for (const message of queue.messages.splice(0)) expect(await deliver(importChunk, message)).toBe(true);
  const read = send.mock.calls.flatMap(([command]) => (command instanceof GetCommand ? [command.input.Key] : []));
  vi.restoreAllMocks();
  expect(read).not.toContainEqual(lockKey(ana.organization.id));
  expect(await expectEnded(request)).toMatchObject({ importedCount: 1 });
});
