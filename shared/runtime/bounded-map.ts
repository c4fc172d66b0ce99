/** A map for what a running function remembers. At full size, a new key drops the key that was set the longest ago. */
export class BoundedMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maximumSize: number;

  constructor(maximumSize: number) {
    this.#maximumSize = maximumSize;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    // A map keeps the order of insertion.
    const oldest = this.#values.keys().next();
    if (this.#values.size >= this.#maximumSize && !oldest.done) this.#values.delete(oldest.value);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
