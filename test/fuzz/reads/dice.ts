import { randomNumbers } from '../fault-injector.ts';

/** Choices that a seed repeats. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  /** A whole number from 0 on. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** @param share from 0 to 1 */
  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<Value>(values: readonly Value[]): Value {
    const position = this.below(values.length);
    if (position >= values.length) throw new Error('There is nothing to pick from.');
    return values[position] as Value;
  }
}
