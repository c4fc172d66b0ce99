/**
 * What a run has found out of order. A fault that is everywhere would fill memory and screen; its first cases tell as
 * much as all of them.
 */
export class Violations {
  readonly #kept: string[] = [];

  /** At most {@link MAX_KEPT}, shortened. */
  get kept(): readonly string[] {
    return this.#kept;
  }

  add(violation: string): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(shortened(violation));
  }
}

const MAX_KEPT = 1_000;
const MAX_CHARACTERS = 1_500;

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}\u2026` : text;
}
