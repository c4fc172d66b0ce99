/**
 * Units that come evenly, of which some are saved. Whoever comes passes as long as anything is left, and owes what it takes beyond that: AWS does
 * not say how it weighs a large call that has not enough left against the small ones.
 */
export class CapacityBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #level: number;
  #countedAt = performance.now();

  /** It is full at first. @param capacity how many units are saved */
  constructor(perSecond: number, capacity: number) {
    this.#perSecond = perSecond;
    this.#capacity = capacity;
    this.#level = capacity;
  }

  /** @param least units that have to be left */
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
