import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Until when the work for an event may call others. A function stands still once it has answered, and what it has left running goes on at its
 * next event: a write that was retried for too long would then be made after its caller has been told that it failed, and beside the one
 * that the caller has asked for again. So every retry and every call shares the deadline of the event that it belongs to, whichever is handled
 * by then.
 */
const deadlines = new AsyncLocalStorage<number>();

/** Runs work that has so many milliseconds from now on. */
export function within<T>(milliseconds: number, work: () => T): T {
  return deadlines.run(Date.now() + milliseconds, work);
}

/** Of the work that asks; infinite outside of any, as for an operator's commands. */
export function millisecondsLeft(): number {
  return (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - Date.now();
}

/** Thrown instead of beginning what could not end in time. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('There is no time left for another call.');
    this.name = 'DeadlineExceeded';
  }
}
