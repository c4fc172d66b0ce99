import { randomInt } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { backOff } from '#shared/runtime/backoff.ts';
import { checkDemand } from './demands.ts';
import { ConditionFailed } from './transaction.ts';

/**
 * Optimistic writes: an item carries a `version`. Of two concurrent changes, the second starts from the outcome of the
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

/**
 * Runs a write that demands the version it starts from. If somebody else was faster, it starts again from the present
 * version.
 *
 * @param readAgain throws when the item was deleted meanwhile, which ends the attempts
 */
export async function withFreshVersion<Stored extends Versioned, Outcome>(
  seen: Stored,
  readAgain: () => Promise<Stored>,
  write: (current: Stored) => Promise<Outcome>,
): Promise<Outcome> {
  let current = seen;
  for (let attempt = 0; ; attempt++) {
    try {
      return await write(current);
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof ConditionalCheckFailedException)) throw error;
    }
    await backOff(attempt);
    current = await readAgain();
    await checkDemand(seen, current);
  }
}
