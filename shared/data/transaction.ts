import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { Problem } from '#shared/domain/problems.ts';
import { database } from './client.ts';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** Thrown when a condition of the transaction did not hold; nothing was written. */
export class ConditionFailed extends Error {
  /** The positions of the items whose condition failed. */
  readonly positions: readonly number[];

  constructor(positions: readonly number[]) {
    super(`The condition of item ${positions.join(', ')} did not hold.`);
    this.name = 'ConditionFailed';
    this.positions = positions;
  }

  failedAt(position: number): boolean {
    return this.positions.includes(position);
  }
}

const MAX_ATTEMPTS = 12;
const FIRST_PAUSE_MILLISECONDS = 10;
const LONGEST_PAUSE_MILLISECONDS = 1_000;

/**
 * Writes all items or none. A conflict with another transaction on the same item is not retried by the SDK; here it is,
 * with growing pauses and full jitter, because the loser of a conflict has done nothing wrong.
 *
 * @throws ConditionFailed when an item's condition does not hold
 * @throws Problem `temporarily_unavailable` when the conflicts do not end
 */
export async function transact(items: TransactItems): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      await database.send(new TransactWriteCommand({ TransactItems: items }));
      return;
    } catch (error) {
      if (!isConflict(error)) throw conditionFailure(error) ?? error;
    }
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** attempt));
  }
  throw new Problem('temporarily_unavailable', { headers: { 'Retry-After': '1' } });
}

const PASSING_REASONS: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function reasonCodes(error: unknown): string[] {
  return error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
    : [];
}

function isConflict(error: unknown): boolean {
  if (error instanceof TransactionInProgressException) return true;
  const codes = reasonCodes(error);
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => PASSING_REASONS.has(code));
}

function conditionFailure(error: unknown): ConditionFailed | undefined {
  const positions = reasonCodes(error).flatMap((code, position) =>
    code === 'ConditionalCheckFailed' ? [position] : [],
  );
  return positions.length > 0 ? new ConditionFailed(positions) : undefined;
}
