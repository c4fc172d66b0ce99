import { setImmediate as settled } from 'node:timers/promises';

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/**
 * A clock that jumps from one event to the next. What sleeps on it are ordinary asynchronous functions, so that a simulated process reads like
 * the real one; sleepers of the same moment wake in the order in which they fell asleep, and so every run goes the same way.
 */
export class VirtualTime {
  #now = 0;
  /** The next to wake is the last. */
  readonly #sleepers: Sleeper[] = [];

  /** Milliseconds. */
  get now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    const wakesAt = this.#now + Math.max(0, milliseconds);
    return new Promise((wake) => this.#sleepers.splice(this.#positionOf(wakesAt), 0, { wakesAt, wake }));
  }

  /** Lets time pass until nobody sleeps any more. */
  async run(): Promise<void> {
    for (;;) {
      await settled();
      const next = this.#sleepers.pop();
      if (!next) return;
      this.#now = next.wakesAt;
      next.wake();
    }
  }

  /** Before all that wake at the same time, which come first because they are popped from the end. */
  #positionOf(wakesAt: number): number {
    let [low, high] = [0, this.#sleepers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const sleeper = this.#sleepers[middle];
      if (sleeper && sleeper.wakesAt > wakesAt) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
