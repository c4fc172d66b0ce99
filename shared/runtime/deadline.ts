import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The time until which the work for an event may call others. A function stands still once it has answered, and
 * work that it left running continues at its next event. A write that was retried for too long would then happen
 * after its caller was told that it failed, perhaps beside the caller's second attempt. So every retry and every
 * call uses the deadline of the event that it belongs to, even while another event is handled.
 */
const deadlines = new AsyncLocalStorage<number>();

/** Runs work that has this many milliseconds from now on. */
export function within<T>(milliseconds: number, work: () => T): T {
  return deadlines.run(Date.now() + milliseconds, work);
}

/** The time left for the calling work; infinite outside of `within`, as for an operator's commands. */
export function millisecondsLeft(): number {
  return (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - Date.now();
}

/** Thrown instead of beginning something that could not end in time. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('There is no time left for another call.');
    this.name = 'DeadlineExceeded';
  }
}
