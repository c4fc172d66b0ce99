import { randomUUID } from 'node:crypto';
import { InternalServerError, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterEach, expect, it, vi } from 'vitest';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { DeadlineExceeded, withDeadline } from '#shared/runtime/deadline.ts';

const name = 'conflict';

afterEach(() => {
  database.middlewareStack.remove(name);
});

const made = { $metadata: {}, message: 'made for a test' };
const conflict = new TransactionConflictException(made);
const failed = new InternalServerError({ ...made, $metadata: { httpStatusCode: 500 } });

/** A write of which the first attempts fail. @returns how many attempts it has made, and how it ended */
async function attemptsOf(failures: readonly Error[]): Promise<[number, unknown]> {
  // A tenth of the longest pauses.
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
  let calls = 0;
  database.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'PutItemCommand') return next(args);
        const failure = failures[calls];
        calls += 1;
        if (failure) throw failure;
        return next(args);
      },
    { step: 'finalizeRequest', priority: 'low', name },
  );
  const put = new PutCommand({ TableName: TABLE_NAME, Item: { pk: `CONFLICT#${randomUUID()}`, sk: 'CONFLICT' } });
  const outcome = await database.send(put).catch((thrown: unknown) => thrown);
  return [calls, outcome];
}

it.each([
  ['is written once that has ended', 5, true],
  ['is given up after six attempts', 6, false],
])('a single write of what a transaction holds %s', async (_, conflicts, isWritten) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const [calls, outcome] = await attemptsOf(Array(conflicts).fill(conflict));
  expect([calls, outcome instanceof TransactionConflictException]).toEqual([6, !isWritten]);
  const pauses = timers.mock.calls.map(([, milliseconds]) => milliseconds);
  expect(pauses).toEqual(expect.arrayContaining([2, 4, 8, 16, 25]));
});

it.each([
  [3, false],
  [4, true],
])('a single write that fails %i times at the table has four attempts', async (failures, isGivenUp) => {
  const [calls, outcome] = await attemptsOf(Array(failures).fill(failed));
  expect([calls, outcome instanceof InternalServerError]).toEqual([4, isGivenUp]);
});

it('a single write that meets a transaction has no more attempts at a table that fails', async () => {
  const [calls, outcome] = await attemptsOf([failed, failed, failed, conflict, failed]);
  expect([calls, outcome instanceof InternalServerError]).toEqual([5, true]);
});

it('a call is neither copied for a logger, nor does it say which SDK makes it', () => {
  expect(database.middlewareStack.identify().join()).not.toMatch(/logger|userAgent/i);
});

it.each([
  [60_000, 2_000],
  [1_999, 1_999],
  [500, 500],
  [499, undefined],
])('a call has %i ms, so an attempt has %s', async (time, most) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const handle = vi.spyOn(NodeHttpHandler.prototype, 'handle');
  const outcome = await withDeadline(time, () => attemptsOf([])).then(([, answer]) => answer);
  expect(handle.mock.calls.map(([, options]) => options?.requestTimeout)).toEqual(most ? [most] : []);
  expect(outcome instanceof DeadlineExceeded).toBe(!most);
});
