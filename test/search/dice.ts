/** Choices that a seed repeats (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 on. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<Value>(values: readonly Value[]): Value {
    const position = this.below(values.length);
    if (position >= values.length) throw new Error('There is nothing to pick from.');
    return values[position] as Value;
  }
}

/** Each kind of act as often as its weight says. */
export function weighted<Act>(acts: readonly (readonly [weight: number, act: Act])[]): Act[] {
  return acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
}
