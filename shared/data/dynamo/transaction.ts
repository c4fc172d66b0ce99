import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { overloaded } from '#shared/domain/problems.ts';
import { backOff } from '#shared/runtime/backoff.ts';
import { database } from './database.ts';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

export type TransactItem = TransactItems[number];

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

/** Two hundred writers of one project take each other's turns for seconds. */
const PATIENCE_MILLISECONDS = 9_000;

/**
 * Writes all items or none. A conflict with another transaction on the same item is not retried by the SDK; here it is,
 * with growing pauses and full jitter, because the loser of a conflict has done nothing wrong.
 *
 * A failure that leaves open whether the items were written is retried under the same token: if they were, DynamoDB then says so, while
 * under a new token a create would find itself there already and fail its own condition. From then on the token stays, and the items with
 * it, whatever else is answered.
 *
 * @param evade what is written instead of an item that another transaction holds; the item itself by default
 * @throws ConditionFailed when an item's condition does not hold
 * @throws Problem `temporarily_unavailable` when the conflicts do not end
 */
export async function transact(wanted: TransactItems, evade: Evasion = (item) => item): Promise<void> {
  let items = wanted;
  let mayBeWritten = false;
  const startedAt = performance.now();
  let token = randomUUID();
  for (let attempt = 0; ; attempt++) {
    try {
      await database.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token }));
      return;
    } catch (error) {
      const isOpen = leavesOpen(error);
      if (!isOpen && !isConflict(error)) throw conditionFailure(error) ?? error;
      if (performance.now() - startedAt > PATIENCE_MILLISECONDS) throw unavailable(error);
      mayBeWritten ||= isOpen;
      if (!mayBeWritten) {
        token = randomUUID();
        items = items.map((item, position) => (isHeld(error, position) ? evade(item) : item));
      }
    }
    await backOff(attempt);
  }
}

/** What may be written as well instead of an item that another transaction holds. */
export type Evasion = (held: TransactItem) => TransactItem;

/** As {@link transact}, but answers false when a condition does not hold. */
export async function tryTransact(items: TransactItems): Promise<boolean> {
  try {
    await transact(items);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

function leavesOpen(error: unknown): boolean {
  return error instanceof TransactionInProgressException || isTimeout(error);
}

/** As the SDK names it, once its own attempts are used up. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** A time-out stays what it is, for the log; over HTTP both are a 503. */
function unavailable(error: unknown): unknown {
  return isTimeout(error) ? error : overloaded();
}

const CONFLICT = 'TransactionConflict';

const PASSING_REASONS: ReadonlySet<string> = new Set([CONFLICT, 'ThrottlingError', 'ProvisionedThroughputExceeded']);

function reasonCodes(error: unknown): string[] {
  return error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
    : [];
}

function isHeld(error: unknown, position: number): boolean {
  return reasonCodes(error)[position] === CONFLICT;
}

function isConflict(error: unknown): boolean {
  const codes = reasonCodes(error);
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => PASSING_REASONS.has(code));
}

function conditionFailure(error: unknown): ConditionFailed | undefined {
  const positions = reasonCodes(error).flatMap((code, position) =>
    code === 'ConditionalCheckFailed' ? [position] : [],
  );
  return positions.length > 0 ? new ConditionFailed(positions) : undefined;
}
