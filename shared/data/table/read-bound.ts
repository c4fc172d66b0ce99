import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Problem } from '#shared/domain/problems.ts';

interface Most {
  readonly rows?: number;
  readonly readUnits?: number;
}

/**
 * The most that a request looks through: 100 MB, or of an index 200 MB. 50,000 rows of usual length are less than half
 * of it, and of the greatest length eight times as much. A function has memory for 100 MB.
 */
const MAX_READ_UNITS = 25_000;

/** How far one look through rows may read, in all of its calls. DynamoDB says with each answer what was read. */
export class ReadBound {
  readonly #refusal: () => Problem;
  #rows: number;
  #readUnits: number;

  /** @param refusal what a call throws once the look has read more */
  constructor(refusal: () => Problem, { rows = Number.POSITIVE_INFINITY, readUnits = MAX_READ_UNITS }: Most = {}) {
    this.#refusal = refusal;
    this.#rows = rows;
    this.#readUnits = readUnits;
  }

  /** @throws the refusal */
  charge({ ScannedCount, ConsumedCapacity }: Pick<QueryCommandOutput, 'ScannedCount' | 'ConsumedCapacity'>): void {
    this.#rows -= ScannedCount ?? 0;
    this.#readUnits -= ConsumedCapacity?.CapacityUnits ?? 0;
    if (this.#rows < 0 || this.#readUnits < 0) throw this.#refusal();
  }
}
