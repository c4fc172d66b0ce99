import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { beforeEach, expect, it, vi } from 'vitest';
import { awaitLock, LockAwaited, lockUnchanged, lockWrites } from '#shared/data/directory/lock.ts';
import { lockKeys } from '#shared/data/layout/keys.ts';
import { readOrganization, saveOrganization } from '#shared/data/organization/organizations.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { Outdated, transact, type Write } from '#shared/data/table/transaction.ts';
import { assign, unread } from '#shared/data/table/writes.ts';
import { readEntry, writeEntries } from '#shared/data/tracker/entries.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';

const { sleep, backOff } = vi.hoisted(() => ({
  sleep: vi.fn(async (_milliseconds: number) => {}),
  backOff: vi.fn(async (_failures: number, _longestMilliseconds?: number) => {}),
}));

vi.mock('node:timers/promises', () => ({ setTimeout: sleep }));
vi.mock('#shared/runtime/backoff.ts', () => ({ backOff }));

let organizationId: string;

beforeEach(() => {
  organizationId = uuidV7();
  sleep.mockReset();
  backOff.mockReset();
});

const awaitUntil = (awaitedUntil: number) =>
  transact(lockKeys(organizationId).map((key) => assign({ ...key, awaitedUntil }, unread)));

async function book(lock?: () => Write): Promise<string> {
  const owner = { organizationId, userId: uuidV7(), currency: 'USD' };
  const draft = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', billable: true };
  const after = newEntry(draft, null, owner, uuidV7(), new Date());
  await writeEntries([{ before: null, after }], { lock });
  return after.id;
}

const pauses = () => sleep.mock.calls.map(([milliseconds]) => milliseconds);

it('all five items of the lock keep writers away for a second, from when somebody is about to set its date', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await awaitLock(organizationId);
  const itemOf = await readItems(lockKeys(organizationId));
  const awaited = lockKeys(organizationId).map((key) => itemOf(key)?.awaitedUntil);
  expect(awaited).toEqual(Array(5).fill(Date.now() + 1_000));
});

const CancellationReasons = [{ Code: 'TransactionConflict' }];
const conflict = new TransactionCanceledException({ $metadata: {}, message: 'made for a test', CancellationReasons });
const fails = () => Promise.reject(conflict);
const isTransaction = (command: object) => command instanceof TransactWriteCommand;

it('who sets the date tries again within 20 ms where another transaction is in the way, since writers are kept away', async () => {
  const { id } = await given.organization();
  const present = await readOrganization(id);
  beforeCalls(isTransaction, [fails, async () => {}, fails]);
  await saveOrganization(present, { ...present, lockedThrough: '2026-11-20' }, []);
  expect(backOff.mock.calls).toEqual([
    [0, 20],
    [0, 20],
  ]);
});

it('who changes something else of the organization leaves more time to the other transaction', async () => {
  const { id } = await given.organization();
  const present = await readOrganization(id);
  beforeCalls(isTransaction, [fails]);
  await saveOrganization(present, { ...present, city: 'Bonn' }, []);
  expect(backOff.mock.calls).toEqual([[0, undefined]]);
});

it.each([
  ['is over', -5_000, 0],
  ['ends soon', 300, 300],
  ['ends late', 60_000, 1_000],
])('a writer who meets what %s waits for it up to a second, and a part of a quarter more', async (_, left, wait) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const [luck, more] of [[0, 0] as const, [1, 250] as const]) {
    vi.spyOn(Math, 'random').mockReturnValueOnce(luck);
    await new LockAwaited(Date.now() + left).over();
    expect(sleep).toHaveBeenLastCalledWith(wait + more);
  }
});

it.each([
  ['of an entry', undefined],
  ['who leaves locked dates alone', () => lockUnchanged(organizationId, null)],
])('a writer %s waits until that is over, and no longer than a quarter of a second more', async (_, lock) => {
  const until = Date.now() + 900;
  await awaitUntil(until);
  let left = 0;
  sleep.mockImplementation(async () => {
    left = Math.max(0, until - Date.now());
    await transact(lockWrites(organizationId, null));
  });
  await expect(readEntry(organizationId, await book(lock))).resolves.toBeDefined();
  const [pause = 0, ...others] = pauses();
  expect(others).toEqual([]);
  expect(pause).toBeGreaterThanOrEqual(left);
  expect(pause).toBeLessThanOrEqual(left + 300);
});

it('a writer who has seen another date hears so at once', async () => {
  for (const [present, seen] of [
    ['2026-11-18', null],
    ['2026-11-18', '2026-11-17'],
    [null, '2026-11-17'],
  ] as const) {
    await transact(lockWrites(organizationId, present));
    await expect(book(() => lockUnchanged(organizationId, seen))).rejects.toThrow(Outdated);
  }
  expect(pauses()).toEqual([]);
});

it('a writer gives up after five such times, however long somebody is about to', async () => {
  await awaitUntil(Date.now() + 3_600_000);
  await expect(book()).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect(pauses()).toHaveLength(5);
  for (const pause of pauses()) expect(Math.abs(pause - 1_125)).toBeLessThanOrEqual(125);
});
