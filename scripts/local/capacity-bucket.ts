/** What a service takes at once, such as requests or units: it comes evenly, and some is saved. It is full at first. */
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

  /** What is more than the capacity is taken from a full bucket, and leaves a debt: else it never could. */
  has(count: number): boolean {
    const now = performance.now();
    const come = ((now - this.#countedAt) / 1_000) * this.#perSecond;
    this.#level = Math.min(this.#capacity, this.#level + come);
    this.#countedAt = now;
    return this.#level >= Math.min(count, this.#capacity);
  }

  take(count: number): void {
    this.#level -= count;
  }
}
