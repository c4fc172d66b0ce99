import { randomUUID } from 'node:crypto';
import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactGetCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '#shared/data/layout/keys.ts';
import { outcomeUnknown, overloaded } from '#shared/domain/problems.ts';
import { backOff } from '#shared/runtime/backoff.ts';
import { millisecondsLeft } from '#shared/runtime/deadline.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { database, TABLE_NAME } from './database.ts';
import type { Item } from './query.ts';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

export type TransactItem = TransactItems[number];

/** DynamoDB's own limit. */
export const ITEMS_PER_TRANSACTION = 100;

/** The refusal is thrown, unless an item without a refusal fails too. It gets the item in the way, if the write asks for it. */
export type Write = TransactItem & { readonly refusal?: (met: Item | undefined) => Error };

export function refusing(item: TransactItem, refusal: (met: Item | undefined) => Error): Write {
  return { ...item, refusal };
}

/** Something is not as it was read, or somebody was faster. Nothing was written. */
export class ConditionFailed extends Error {
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

/** Something is not as it was read, as a comparison has shown: no item's condition failed. */
export class Outdated extends ConditionFailed {
  constructor() {
    super([]);
  }
}

/** When two hundred writers change one project, their turns take seconds. */
const PATIENCE_MILLISECONDS = 9_000;

/**
 * How long a transaction of unknown outcome is repeated, in work without a deadline. DynamoDB knows a token for ten
 * minutes.
 */
const AMBIGUOUS_MILLISECONDS = 60_000;

/** With less left before the deadline, nothing is tried again: the caller can then still give up what it holds. */
const RESERVE_MILLISECONDS = 1_500;

/** A table that fails needs longer pauses than one in which another transaction is in the way. */
const LONGEST_PAUSE_MILLISECONDS = 500;

/**
 * Repeats what may pass, with growing pauses and full jitter: the loser of a conflict has done nothing wrong.
 *
 * An attempt may leave open whether the items were written. From then on the token stays the same: under a new one, a
 * create would find its own item and fail its condition.
 *
 * @param replaceLocked what to write instead of an item that another transaction has locked
 * @param longestPause in milliseconds, after a conflict
 * @throws ConditionFailed, or the refusal of an item
 * @throws Problem `temporarily_unavailable`, which says whether the outcome is unknown
 */
export async function transact(
  wanted: readonly Write[],
  replaceLocked: ReplaceLocked = (item) => item,
  longestPause?: number,
): Promise<void> {
  let items = wanted.map(({ refusal: _, ...item }): TransactItem => item);
  let token = randomUUID();
  let isOpen = false;
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      await database.send(singleAttempt(items, token));
      return;
    } catch (error) {
      const failure = conditionFailure(error);
      if (failure) throw refusalOf(wanted, failure, error) ?? failure;
      if (!isAmbiguous(error) && !isTransient(error)) throw error;
      isOpen ||= isAmbiguous(error);
      if (isTimeOver(startedAt, isOpen)) throw unfinished(isOpen, error);
      if (!isOpen) {
        token = randomUUID();
        const draw = Math.random();
        items = items.map((item, position) => (isContended(error, position) ? replaceLocked(item, draw) : item));
      }
      await backOff(attempt, isConflict(error) ? longestPause : LONGEST_PAUSE_MILLISECONDS);
    }
  }
}

/** None if an item without a refusal has failed: the caller reads it again, and may then be refused or not. */
function refusalOf(wanted: readonly Write[], { positions }: ConditionFailed, error: unknown): Error | undefined {
  const refusals = positions.map((position) => wanted[position]?.refusal);
  return refusals.includes(undefined) ? undefined : refusals[0]?.(itemMet(error, positions[0] ?? 0));
}

function itemMet(error: unknown, position: number): Item | undefined {
  const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
  const item = reasons?.[position]?.Item;
  return item && unmarshall(item);
}

/**
 * Reads items as they are at one moment: separate reads may see a transaction by halves.
 *
 * @param keys at most 100; their items take at most 4 MB, and twice the units of other reads
 * @throws Problem `temporarily_unavailable` when a transaction is in the way until time is over
 */
export async function readAtOnce(keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const TransactItems = keys.map((key) => ({ Get: { TableName: TABLE_NAME, Key: { ...key } } }));
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      const { Responses = [] } = await database.send(new TransactGetCommand({ TransactItems }));
      return Responses.flatMap(({ Item }) => Item ?? []);
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (isTimeOver(startedAt, false)) throw unfinished(false, error);
      await backOff(attempt, isConflict(error) ? undefined : LONGEST_PAUSE_MILLISECONDS);
    }
  }
}

/** The SDK would only tell how the last of its attempts failed. */
function singleAttempt(TransactItems: TransactItems, ClientRequestToken: string): TransactWriteCommand {
  const command = new TransactWriteCommand({ TransactItems, ClientRequestToken });
  command.middlewareStack.add((next) => next, { ...SDK_RETRIES, override: true });
  return command;
}

const SDK_RETRIES = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;

function isTimeOver(startedAt: number, isOpen: boolean): boolean {
  const patience = isOpen ? AMBIGUOUS_MILLISECONDS : PATIENCE_MILLISECONDS;
  return performance.now() - startedAt > patience || millisecondsLeft() < RESERVE_MILLISECONDS;
}

/** A throttle stays a throttle, for the log. Over HTTP, all are a 503. */
function unfinished(isOpen: boolean, error: unknown): unknown {
  if (!isOpen) return error instanceof TransactionCanceledException ? overloaded() : error;
  logger.warn('outcome is unknown', { error: asError(error) });
  return outcomeUnknown();
}

/** @param draw from 0 up to 1, the same for all items that one attempt has met locked */
export type ReplaceLocked = (locked: TransactItem, draw: number) => TransactItem;

export async function tryTransact(items: readonly Write[]): Promise<boolean> {
  try {
    await transact(items);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

const CONFLICT = 'TransactionConflict';

/** Nothing was written, and another attempt may succeed. */
const TRANSIENT: ReadonlySet<unknown> = new Set([
  // Reasons of a cancellation.
  CONFLICT,
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  // Refusals of the whole call.
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  // Calls that were never sent.
  'DeadlineExceeded',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

function isTransient(error: unknown): boolean {
  return namesOf(error).some((name) => TRANSIENT.has(name));
}

/** The answer is missing or late, which the SDK calls a time-out in most cases. */
const AMBIGUOUS: ReadonlySet<unknown> = new Set(['ECONNRESET', 'TimeoutError', 'TransactionInProgressException']);

/** DynamoDB says neither yes nor no. A status of 500 does not tell whether the items were written. */
function isAmbiguous(error: unknown): boolean {
  const { httpStatusCode = 0 } = error instanceof DynamoDBServiceException ? error.$metadata : {};
  return httpStatusCode >= 500 || namesOf(error).some((name) => AMBIGUOUS.has(name));
}

function namesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  return [error.name, 'code' in error ? error.code : undefined, ...reasonCodes(error)];
}

function isConflict(error: unknown): boolean {
  return reasonCodes(error).includes(CONFLICT);
}

function isContended(error: unknown, position: number): boolean {
  return reasonCodes(error)[position] === CONFLICT;
}

function reasonCodes(error: unknown): unknown[] {
  return error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []).map(({ Code }) => Code) : [];
}

function conditionFailure(error: unknown): ConditionFailed | undefined {
  const positions = reasonCodes(error).flatMap((code, position) =>
    code === 'ConditionalCheckFailed' ? [position] : [],
  );
  return positions.length > 0 ? new ConditionFailed(positions) : undefined;
}
