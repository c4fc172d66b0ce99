import { randomInt } from 'node:crypto';

/**
 * A version never comes again: an entry that is deleted and imported again keeps its id, and a change of the former one
 * must not be taken for a change of the new one.
 */

export interface Versioned {
  readonly version: number;
}

export function newVersion(): number {
  return randomInt(2 ** 48 - 1);
}

export function unchangedSince({ version }: Versioned) {
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}
