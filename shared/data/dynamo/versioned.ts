import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { backOff } from '#shared/runtime/backoff.ts';
import { ConditionFailed } from './transaction.ts';

/**
 * Optimistic writes: an item carries a `version`. Of two concurrent changes, the second starts from the outcome of the
 * first.
 */

export interface Versioned {
  readonly version: number;
}

/** The condition that nobody has written since the read. It fails for a deleted item too. */
export function unchangedSince({ version }: Versioned) {
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
}

/** What must be true of a resource whenever it is read again, by the resource as it was read first. */
const demands = new WeakMap<object, (current: object) => Promise<void>>();

/** @param check throws where the resource is not as somebody demands */
export function demand(resource: object, check: (current: object) => Promise<void>): void {
  demands.set(resource, check);
}

/** Checks what is demanded of a resource, as it is now. @param seen as it was read first */
export async function checkDemand(seen: object, current: object): Promise<void> {
  await demands.get(seen)?.(current);
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
