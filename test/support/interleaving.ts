import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { outsideFunctions } from './api.ts';

/** Makes things happen at the worst moment, which requests otherwise meet only by chance. */

type Command = Parameters<typeof database.send>[0];

/**
 * Makes something happen before each of the next awaited calls of this process to the database, as long as happenings
 * are left. Calls that a happening makes do not count. `vi.restoreAllMocks` ends it.
 */
export function beforeCalls(isAwaited: (command: Command) => boolean, happenings: (() => Promise<unknown>)[]): void {
  const send = database.send.bind(database);
  const pending = happenings.values();
  let isHappening = false;
  vi.spyOn(database, 'send').mockImplementation(async (command: Command) => {
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
