import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { outsideFunctions } from './api.ts';

/** Makes things happen at the worst moment, which requests otherwise meet only by chance. */

export type Command = Parameters<typeof database.send>[0];

/**
 * Handles the calls of this process to the database, which it may send on. The end of the test ends it, or
 * `vi.restoreAllMocks`.
 */
export function betweenCalls(handle: (command: Command, send: typeof database.send) => unknown) {
  const send = database.send.bind(database);
  return vi.spyOn(database, 'send').mockImplementation(async (command: Command) => handle(command, send));
}

/**
 * Makes something happen before each of the next awaited calls of this process to the database, as long as happenings
 * are left. Calls that a happening makes do not count. The end of the test ends it, or `vi.restoreAllMocks`.
 */
export function beforeCalls(isAwaited: (command: Command) => boolean, happenings: (() => Promise<unknown>)[]): void {
  const pending = happenings.values();
  let isHappening = false;
  betweenCalls(async (command, send) => {
    if (!isHappening && isAwaited(command)) {
      isHappening = true;
      try {
        await outsideFunctions(async () => pending.next().value?.());
      } finally {
        isHappening = false;
      }
    }
    return send(command);
  });
}

/** Lets something happen between what is read for the next transaction of this process and the transaction itself. */
export function beforeTransaction(happen: () => Promise<unknown>): void {
  beforeCalls((command) => command instanceof TransactWriteCommand, [happen]);
}

/** The transactions that this process sends meanwhile. */
export async function transactionsOf(run: () => Promise<unknown>): Promise<TransactWriteCommand[]> {
  const send = vi.spyOn(database, 'send');
  await run();
  const sent = send.mock.calls.flatMap(([command]) => (command instanceof TransactWriteCommand ? [command] : []));
  send.mockRestore();
  return sent;
}
