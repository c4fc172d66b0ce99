/** A text, or null where there is nothing. */
export type Value = string | null;

/** The moments at which something began and ended. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Write extends Span {
  /** Undefined where it may have been anything. */
  readonly value: Value | undefined;
  /** False where it may have been done or not. */
  readonly isSure: boolean;
}

/**
 * All that callers know of one value from the answers to their requests: a success has happened, a refusal has not, and a 5xx may have, or may still.
 * Writes that overlap may have happened in any order.
 */
export class Register {
  readonly #writes: Write[] = [{ value: null, from: -1, to: -1, isSure: true }];
  readonly #reads: (Span & { readonly values: readonly Value[] })[] = [];

  /** Takes note of the answer to a request that wants a value; a 404 is a read of nothing. */
  note({ status, from, to }: Span & { readonly status: number }, value: Value | undefined): void {
    if (status < 300) this.#writes.push({ value, from, to, isSure: true });
    else if (status >= 500) this.#writes.push({ value, from, to: Number.POSITIVE_INFINITY, isSure: false });
    else if (status === 404) this.see({ from, to }, [null]);
  }

  /** Takes note of what may have come about as well. */
  allow({ from, to }: Span, value: Value): void {
    this.#writes.push({ value, from, to, isSure: false });
  }

  /** Takes note that an answer has shown one of these values. */
  see({ from, to }: Span, values: readonly Value[]): void {
    this.#reads.push({ from, to, values });
  }

  /** Whether one of the values can be what is left. */
  mayLeave(...values: readonly Value[]): boolean {
    return this.#mayShow({ from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY, values });
  }

  /** Reads that no order of the writes explains. */
  contradictions(): string[] {
    return this.#reads
      .filter((read) => !this.#mayShow(read))
      .map(({ values, from, to }) => `was seen as ${values.map(String).join(' or ')} ${from}-${to}, unlike ${this}`);
  }

  /** No write that is sure came after one of the values and before the read. */
  #mayShow({ values, from, to }: Span & { readonly values: readonly Value[] }): boolean {
    return this.#writes.some(
      (write) =>
        (write.value === undefined || values.includes(write.value)) &&
        write.from < to &&
        !this.#writes.some((later) => later.isSure && later.from > write.to && later.to < from),
    );
  }

  toString(): string {
    return this.#writes
      .slice(-4)
      .map(({ value, from, to }) => `${value} ${from}-${to}`)
      .join(', ');
  }
}
