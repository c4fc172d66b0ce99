import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { backOff } from '#shared/runtime/backoff.ts';
import { ConditionFailed } from './transaction.ts';

/** Optimistic writes: an item carries a `version`, and of two concurrent changes the second starts from the first's outcome. */

export interface Versioned {
  readonly version: number;
}

/** The condition of a write that demands that nobody has written since; it fails for a deleted item too. */
export function unchangedSince({ version }: Versioned) {
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}

/**
 * Runs a write that demands the version it starts from, and starts again from the present one when somebody was faster.
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
  }
}
