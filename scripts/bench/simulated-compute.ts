import type { Chance, Latency } from './chance.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Lambda and SQS as far as waiting goes: cold starts, one message of a group at a time, pollers that grow, redelivery. */

/** A function with as many instances as it needs at once; each new one starts cold. */
export class SimulatedFunction {
  coldStarts = 0;
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #coldStart: Latency;
  #idle: number;

  /** @param warm instances that are there from the start */
  constructor(time: VirtualTime, chance: Chance, coldStart: Latency, warm = 0) {
    this.#time = time;
    this.#chance = chance;
    this.#coldStart = coldStart;
    this.#idle = warm;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#idle > 0) {
      this.#idle -= 1;
    } else {
      this.coldStarts += 1;
      await this.#time.sleep(this.#chance.latency(this.#coldStart));
    }
    try {
      return await work();
    } finally {
      this.#idle += 1;
    }
  }
}

export interface QueueModel {
  /** From a message's being receivable until its function is invoked. */
  readonly delivery: Latency;
  readonly visibilityTimeoutMilliseconds: number;
  /** Where the worker itself makes a message visible again that it could not finish: how long after. */
  readonly retryMilliseconds?: number;
  readonly maxReceives: number;
  /** How many batches Lambda's pollers handle at once: at first, and how many more with each second. */
  readonly firstConcurrency: number;
  readonly concurrencyPerSecond: number;
}

export interface Consumer<Message> {
  /** Says whether it is done with the message. */
  readonly handle: (message: Message) => Promise<boolean>;
  /** Gets what has failed too often. */
  readonly giveUp: (message: Message) => void;
}

export class SimulatedQueue<Message> {
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #model: QueueModel;
  readonly #consumer: Consumer<Message>;
  /** Messages of each group, the oldest first. */
  readonly #groups = new Map<string, Message[]>();
  /** Groups of which a message is with the worker, or failed and is not visible again yet. */
  readonly #blocked = new Set<string>();
  #running = 0;
  #wakes = false;

  constructor(time: VirtualTime, chance: Chance, model: QueueModel, consumer: Consumer<Message>) {
    this.#time = time;
    this.#chance = chance;
    this.#model = model;
    this.#consumer = consumer;
  }

  put(group: string, message: Message): void {
    this.#groups.set(group, [...(this.#groups.get(group) ?? []), message]);
    this.#dispatch();
  }

  #dispatch(): void {
    for (const [group, [message]] of this.#groups) {
      if (message === undefined || this.#blocked.has(group)) continue;
      if (this.#running >= this.#concurrency()) {
        void this.#dispatchLater();
        return;
      }
      this.#blocked.add(group);
      void this.#deliver(group, message);
    }
  }

  #concurrency(): number {
    const { firstConcurrency, concurrencyPerSecond } = this.#model;
    return Math.floor(firstConcurrency + (concurrencyPerSecond * this.#time.now) / 1_000);
  }

  async #dispatchLater(): Promise<void> {
    if (this.#wakes) return;
    this.#wakes = true;
    await this.#time.sleep(1_000 / this.#model.concurrencyPerSecond);
    this.#wakes = false;
    this.#dispatch();
  }

  async #deliver(group: string, message: Message): Promise<void> {
    const {
      delivery,
      visibilityTimeoutMilliseconds,
      retryMilliseconds = Number.POSITIVE_INFINITY,
      maxReceives,
    } = this.#model;
    for (let receives = 1; ; receives++) {
      this.#running += 1;
      const receivedAt = this.#time.now;
      await this.#time.sleep(this.#chance.latency(delivery));
      const isDone = await this.#consumer.handle(message);
      this.#running -= 1;
      if (!isDone && receives === maxReceives) this.#consumer.giveUp(message);
      if (isDone || receives === maxReceives) break;
      await this.#time.sleep(Math.min(receivedAt + visibilityTimeoutMilliseconds - this.#time.now, retryMilliseconds));
    }
    this.#groups.get(group)?.shift();
    this.#blocked.delete(group);
    this.#dispatch();
  }
}
