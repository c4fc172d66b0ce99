import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Problem } from '#shared/domain/problems.ts';

interface Most {
  readonly rows?: number;
  readonly readUnits?: number;
}

/** 100 MB, for which a function has memory, or 200 MB of an index. */
const MAX_READ_UNITS = 25_000;

/** How far one look through rows may read, in all of its calls. DynamoDB says with each answer what was read. */
export class ReadBound {
  readonly #refusal: () => Problem;
  #rows: number;
  #readUnits: number;

  constructor(refusal: () => Problem, { rows = Number.POSITIVE_INFINITY, readUnits = MAX_READ_UNITS }: Most = {}) {
    this.#refusal = refusal;
    this.#rows = rows;
    this.#readUnits = readUnits;
  }

  charge({ ScannedCount, ConsumedCapacity }: Pick<QueryCommandOutput, 'ScannedCount' | 'ConsumedCapacity'>): void {
    this.#rows -= ScannedCount ?? 0;
    this.#readUnits -= ConsumedCapacity?.CapacityUnits ?? 0;
    if (this.#rows < 0 || this.#readUnits < 0) throw this.#refusal();
  }
}
