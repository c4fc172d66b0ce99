/** Drops the oldest entries when it is full. */
export class BoundedMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maximumSize: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  constructor(maximumSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#maximumSize = maximumSize;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** The latest value stays, however large it is. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#maximumSize || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value !== undefined) this.#size -= this.#sizeOf(value);
    this.#values.delete(key);
  }
}
