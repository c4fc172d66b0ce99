import type { Reply } from '#test/support/client.ts';

/**
 * What a caller knows of a thing from the answers to its own requests: a success has happened, a refusal has not, and a 5xx may have or may not.
 * So a thing is in one of some possible states, each the text that it bears, or null where it is not there.
 */
export class Thing {
  #possible: ReadonlySet<string | null>;
  /** Known from the first success on. */
  id: string | undefined;

  constructor(state: string | null) {
    this.#possible = new Set([state]);
  }

  may(state: string | null): boolean {
    return this.#possible.has(state);
  }

  /** Takes note that it may be in a state, besides those that it may be in. */
  allow(state: string | null): void {
    this.#possible = new Set([...this.#possible, state]);
  }

  /** Takes note that it is not in a state. @returns whether that can be */
  exclude(state: string | null): boolean {
    this.#possible = new Set([...this.#possible].filter((possible) => possible !== state));
    return this.#possible.size > 0;
  }

  toString(): string {
    return [...this.#possible].join(' or ');
  }

  /**
   * Takes an answer into account.
   *
   * @param effect the state that the request wants
   * @returns what is wrong with the answer, if anything is
   */
  learn({ status, body }: Reply, effect: string | null): string | undefined {
    if (status < 300) this.#possible = new Set([effect]);
    else if (status >= 500) this.#possible = new Set([...this.#possible, effect]);
    else if (status === 404 && this.may(null)) this.#possible = new Set([null]);
    else return `${status} ${body.code}, though it is ${this}`;
    return undefined;
  }
}
