/** The shared account of a search: how often it had each outcome, and each violation that it has found. */
export class Findings {
  readonly #outcomes = new Map<string, number>();
  readonly #violations: string[] = [];

  /** At most {@link MAX_VIOLATIONS}, shortened: a fault that is everywhere would fill memory and screen. */
  get violations(): readonly string[] {
    return this.#violations;
  }

  get outcomes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#outcomes].sort());
  }

  /** All that were counted. */
  get count(): number {
    return [...this.#outcomes.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Plays rounds one after the other. What fails is a violation of its round, and does not end the others. */
  async inRounds(rounds: number, play: (number: number, blame: (fault: string) => void) => Promise<void>) {
    for (let number = 1; number <= rounds; number++) {
      const blame = (fault: string) => this.blame(`Round ${number}: ${fault}`);
      await play(number, blame).catch((error) => blame(String(error)));
    }
  }

  countOutcome(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  /** A 503 says that there was too much to do at once. It is no answer for every day, also not where a search fills the machine. */
  blameOverload(): void {
    const all = [...this.#outcomes].filter(([outcome]) => /\b503\b/.test(outcome));
    const overloaded = all.reduce((sum, [, count]) => sum + count, 0);
    if (overloaded > this.count * MAX_OVERLOADED_SHARE) this.blame(`Of ${this.count} answers, ${overloaded} are 503`);
  }

  blame(violation: string): void {
    if (this.#violations.length < MAX_VIOLATIONS) this.#violations.push(violation.slice(0, MAX_CHARACTERS));
  }
}

const MAX_OVERLOADED_SHARE = 1 / 200;

const MAX_VIOLATIONS = 1_000;
const MAX_CHARACTERS = 1_500;

/** Each search reports these, beside its own figures. */
export interface Figures {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}
