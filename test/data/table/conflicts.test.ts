import { randomUUID } from 'node:crypto';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';

const name = 'conflict';

afterEach(() => {
  database.middlewareStack.remove(name);
  vi.restoreAllMocks();
});

it.each([
  ['is written once that has ended', 5, true],
  ['is given up after six attempts', 6, false],
])('a single write of what a transaction holds %s', async (_, conflicts, isWritten) => {
  // A tenth of the longest pauses.
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  let calls = 0;
  database.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'PutItemCommand') return next(args);
        calls += 1;
        if (calls <= conflicts) throw new TransactionConflictException({ $metadata: {}, message: 'made for a test' });
        return next(args);
      },
    { step: 'finalizeRequest', priority: 'low', name },
  );
  const put = new PutCommand({ TableName: TABLE_NAME, Item: { pk: `CONFLICT#${randomUUID()}`, sk: 'CONFLICT' } });
  const outcome = await database.send(put).catch((error: unknown) => error);
  expect([calls, outcome instanceof TransactionConflictException]).toEqual([6, !isWritten]);
  const pauses = timers.mock.calls.map(([, milliseconds]) => milliseconds);
  expect(pauses).toEqual(expect.arrayContaining([2, 4, 8, 16, 25]));
});
