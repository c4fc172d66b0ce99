import { asError } from '#shared/runtime/error.ts';

type Undo = () => Promise<unknown>;

/** Takes back what the steps have made, the last first. */
export class Cleanup {
  readonly #undos: { readonly what: string; readonly undo: Undo }[] = [];

  add(what: string, undo: Undo): void {
    this.#undos.push({ what, undo });
  }

  /** @throws Error that names what is left behind */
  async run(): Promise<string> {
    const left: string[] = [];
    const all = this.#undos.splice(0).reverse();
    for (const { what, undo } of all) {
      await undo().catch((error: unknown) => left.push(`${what} (${asError(error).message})`));
    }
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
    return `${all.length} things removed`;
  }
}
