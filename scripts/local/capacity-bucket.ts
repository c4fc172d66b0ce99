/**
 * Units come evenly, and some are saved. A call passes as long as anything is left, and owes
 * what it takes beyond that. The reason: AWS does not say how it weighs a large call, for which too little is
 * left, against small calls.
 */
export class CapacityBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #level: number;
  #countedAt = performance.now();

  /**
   * The bucket is full at first.
   *
   * @param capacity how many units are saved
   */
  constructor(perSecond: number, capacity: number) {
    this.#perSecond = perSecond;
    this.#capacity = capacity;
    this.#level = capacity;
  }

  /** @param least how many units have to be left */
  isOpen(least = Number.MIN_VALUE): boolean {
    return this.#levelNow() >= least;
  }

  take(units: number): void {
    this.#level = this.#levelNow() - units;
    this.#countedAt = performance.now();
  }

  #levelNow(): number {
    const seconds = (performance.now() - this.#countedAt) / 1_000;
    return Math.min(this.#capacity, this.#level + seconds * this.#perSecond);
  }
}
