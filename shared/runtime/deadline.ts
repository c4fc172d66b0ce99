import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What an event begins must end in it. Between its answer and its next event a function stands still, with its timers
 * and sockets: work that is left running goes on in the next event, when its calls have timed out and its caller was
 * told something else. So each call keeps the deadline of its own event, and an event waits for nothing that another one
 * has begun ({@link SharedWork}).
 */
interface Event {
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

const events = new AsyncLocalStorage<Event>();

export function withDeadline<T>(milliseconds: number, work: () => T): T {
  return events.run({ endsAt: Date.now() + milliseconds }, work);
}

/** Infinite outside of `withDeadline`, as for an operator's commands. */
export function millisecondsLeft(): number {
  return (events.getStore()?.endsAt ?? Number.POSITIVE_INFINITY) - Date.now();
}

export class DeadlineExceeded extends Error {
  constructor() {
    super('There is no time left for another call.');
    this.name = 'DeadlineExceeded';
  }
}

/** Work that is done once for all who need it at the same time, within one event. */
export class SharedWork<Result> {
  #running: { readonly event: Event | undefined; readonly result: Promise<Result> } | undefined;

  /** @param isLatest whether no later event has begun the work anew: only then may the work keep what it finds */
  join(begin: (isLatest: () => boolean) => Promise<Result>): Promise<Result> {
    const event = events.getStore();
    if (this.#running && this.#running.event === event) return this.#running.result;
    const isLatest = () => this.#running === running;
    const running = {
      event,
      result: Promise.resolve()
        .then(() => begin(isLatest))
        .finally(() => {
          if (isLatest()) this.#running = undefined;
        }),
    };
    this.#running = running;
    return running.result;
  }
}
