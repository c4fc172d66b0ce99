import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Every call keeps the deadline of its own event. Work that is left running when a function has answered continues at
 * its next event: a write could happen after its caller was told that it failed.
 */
const deadlines = new AsyncLocalStorage<number>();

export function withDeadline<T>(milliseconds: number, work: () => T): T {
  return deadlines.run(Date.now() + milliseconds, work);
}

/** Infinite outside of `withDeadline`, as for an operator's commands. */
export function millisecondsLeft(): number {
  return (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - Date.now();
}

export class DeadlineExceeded extends Error {
  constructor() {
    super('There is no time left for another call.');
    this.name = 'DeadlineExceeded';
  }
}
