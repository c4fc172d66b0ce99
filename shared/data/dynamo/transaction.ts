import { randomUUID } from 'node:crypto';
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { overloaded } from '#shared/domain/problems.ts';
import { backOff } from '#shared/runtime/backoff.ts';
import { takeCompanion } from './companion.ts';
import { database } from './database.ts';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

export type TransactItem = TransactItems[number];

/** A condition of the transaction did not hold; nothing was written. */
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

/** When two hundred writers change one project, their turns take seconds. */
const PATIENCE_MILLISECONDS = 9_000;

/**
 * Writes all items or none. The SDK does not retry a conflict with another transaction on the same item. This function
 * does, with growing pauses and full jitter: the loser of a conflict has done nothing wrong.
 *
 * A failure may leave open whether the items were written. Then the retry keeps its token: if the items were written,
 * DynamoDB says so. Under a new token, a create would find its own item and fail its condition. After such a failure,
 * the token and the items stay the same in all further attempts.
 *
 * What goes along with the work at hand (`companion.ts`) is the last item.
 *
 * @param evade what to write instead of an item that another transaction holds; the item itself by default
 * @throws ConditionFailed when an item's condition does not hold
 * @throws Problem `temporarily_unavailable` when the conflicts do not end
 */
export async function transact(wanted: TransactItems, evade: Evasion = (item) => item): Promise<void> {
  const companion = takeCompanion();
  let items = companion ? [...wanted, await companion.item()] : wanted;
  let mayBeWritten = false;
  const startedAt = performance.now();
  let token = randomUUID();
  for (let attempt = 0; ; attempt++) {
    try {
      await database.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token }));
      companion?.written();
      return;
    } catch (error) {
      const isOpen = leavesOpen(error);
      if (!isOpen && !isConflict(error)) {
        const failure = conditionFailure(error);
        throw companion && failure?.failedAt(wanted.length) ? companion.refused() : (failure ?? error);
      }
      if (performance.now() - startedAt > PATIENCE_MILLISECONDS) throw unavailable(error);
      mayBeWritten ||= isOpen || wasRepeated(error);
      if (!mayBeWritten) {
        token = randomUUID();
        items = items.map((item, position) => (isHeld(error, position) ? evade(item) : item));
      }
    }
    await backOff(attempt);
  }
}

/** What to write instead of an item that another transaction holds. */
export type Evasion = (held: TransactItem) => TransactItem;

/** Like {@link transact}, but returns false when a condition does not hold. */
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

/** The SDK repeats a call whose answer was lost. What refuses the repetition does not say what became of the first. */
function wasRepeated(error: unknown): boolean {
  return error instanceof TransactionCanceledException && (error.$metadata.attempts ?? 1) > 1;
}

/** A timeout, as the SDK names it once its own attempts are used up. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** A timeout stays a timeout, for the log. Over HTTP, both are a 503. */
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
