import { randomInt } from 'node:crypto';

/**
 * Optimistic writes: an item carries a `version`. The second of two concurrent changes starts from the outcome of the
 * first.
 *
 * A version is random, and never comes again: an entry that is deleted and imported again keeps its id, and a change of
 * the former one must not be taken for a change of the new one.
 */

export interface Versioned {
  readonly version: number;
}

/** For each write of an item. */
export function newVersion(): number {
  return randomInt(2 ** 48 - 1);
}

/** The condition that nobody has written since the read. It fails for a deleted item too. */
export function unchangedSince({ version }: Versioned) {
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}
