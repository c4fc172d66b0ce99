/** The requests that a stage of API Gateway takes: they come evenly, and some are saved. It is full at first. */
export class CapacityBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #level: number;
  #countedAt = performance.now();

  constructor(perSecond: number, capacity: number) {
    this.#perSecond = perSecond;
    this.#capacity = capacity;
    this.#level = capacity;
  }

  /** @returns whether one was left */
  take(): boolean {
    const now = performance.now();
    const come = ((now - this.#countedAt) / 1_000) * this.#perSecond;
    this.#level = Math.min(this.#capacity, this.#level + come);
    this.#countedAt = now;
    if (this.#level < 1) return false;
    this.#level -= 1;
    return true;
  }
}
