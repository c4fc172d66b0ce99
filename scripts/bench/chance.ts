/** How long something takes: lognormal, stated by what half and what 99 of a hundred do not exceed, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** The standard normal deviate that 99 of a hundred do not exceed. */
const DEVIATE_OF_P99 = 2.326_347_9;

/** Pseudorandom numbers that a seed determines (mulberry32): a simulation of the same seed is the same. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Evenly from 0 to below 1. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  latency({ p50, p99 }: Latency): number {
    const sigma = Math.log(p99 / p50) / DEVIATE_OF_P99;
    return p50 * Math.exp(sigma * this.#normal());
  }

  /** The pause between events that come at random, so many milliseconds apart on average. */
  interval(meanMilliseconds: number): number {
    return -meanMilliseconds * Math.log(1 - this.uniform());
  }

  /** By Box and Muller. */
  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}
