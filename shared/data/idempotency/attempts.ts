import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { idempotencyKey, type Key, keptAnswerKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { pack, partKeys, readPacked, unpack } from '#shared/data/table/packed.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';

/**
 * Requests that their callers have named with an `Idempotency-Key`. One record for each name says which request it is,
 * which attempt is at work, and the answer once there is one.
 *
 * The answer is kept in the transaction that makes it true (`answer` of a call). After a crash, either nothing was
 * written and another attempt may act when the lease of the first expires, or the answer is stored. The same condition
 * keeps two attempts from both acting, however late one of them wakes up: the record is of one attempt, and takes one
 * answer. Answers that change nothing are kept by a write of their own.
 *
 * A large answer lies in parts beside its record. They are written before the record points to them.
 */

export const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Longer than a function behind the API lives, and than what it leaves pending after that: it may have begun to bill
 * entries in its last second, and others wait for such a billing for 60 s.
 */
const LEASE_MILLISECONDS = 90_000;

/** DynamoDB deletes expired items late, and parts must not go before their record. */
const PART_GRACE_SECONDS = 3_600;

/** A record is read by each repetition, and costs a unit for each KiB. */
const MAX_INLINE_BYTES = 3_000;

export interface NamedRequest {
  readonly organizationId: string;
  readonly userId: string;
  readonly key: string;
  /** Digest of everything that makes it this request. */
  readonly fingerprint: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Members of an answer that the table has for good. A kept answer lacks them, and a repetition reads them again. */
export interface Omission {
  readonly omit: (data: object) => object;
  readonly restore: (data: object, owner: Pick<NamedRequest, 'organizationId'>) => Promise<object>;
}

/** The right of one function to act for a request. */
export interface Attempt {
  /** Key of the attempt's record. */
  readonly key: Key;
  readonly id: string;
}

export type Beginning =
  | { readonly kind: 'begun'; readonly attempt: Attempt }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'reused' };

const record = v.object({
  fingerprint: v.string(),
  attempt: v.string(),
  /** Milliseconds since the epoch. A record without a lease has its last answer. */
  leaseEndsAt: v.optional(v.number()),
  answer: v.optional(
    v.object({
      attempt: v.string(),
      packed: v.optional(v.instance(Uint8Array)),
      parts: v.optional(v.number(), 0),
    }),
  ),
});

type AnswerReference = NonNullable<v.InferOutput<typeof record>['answer']>;

const keptAnswer = v.object({ status: v.number(), headers: v.record(v.string(), v.string()), body: v.string() });

/** Begins to act for a request, unless it was answered or somebody is acting for it. One write, and no read. */
export async function beginAttempt(request: NamedRequest, now: Date): Promise<Beginning> {
  const { organizationId, userId, fingerprint } = request;
  const key = idempotencyKey(organizationId, userId, request.key);
  const id = randomUUID();
  const leaseEndsAt = now.getTime() + LEASE_MILLISECONDS;
  const Item = { ...key, fingerprint, attempt: id, leaseEndsAt, ...expiryAt(now) };
  const met = await putUnlessTaken(Item, now);
  // The write may have been sent twice, because its answer was lost. It then finds itself.
  if (!met || met.attempt === id) return { kind: 'begun', attempt: { key, id } };
  if (met.fingerprint !== fingerprint) return { kind: 'reused' };
  const isAnswered = met.leaseEndsAt === undefined || met.leaseEndsAt <= now.getTime();
  if (!met.answer || !isAnswered) return { kind: 'in_progress' };
  return { kind: 'answered', answer: await readAnswer(key, met.answer) };
}

/**
 * An expired record is as none, although DynamoDB may take days to delete it. An attempt without an answer has died.
 */
const IS_FREE =
  'attribute_not_exists(pk) OR expiresAtEpochSeconds <= :seconds OR ' +
  '(attribute_not_exists(answer) AND leaseEndsAt <= :now AND fingerprint = :fingerprint)';

/** @returns the record that keeps it from being put */
async function putUnlessTaken(
  Item: { readonly fingerprint: string },
  now: Date,
): Promise<v.InferOutput<typeof record> | undefined> {
  try {
    await database.send(
      new PutCommand({
        TableName: TABLE_NAME,
        Item,
        ConditionExpression: IS_FREE,
        ExpressionAttributeValues: {
          ':seconds': epochSeconds(now),
          ':now': now.getTime(),
          ':fingerprint': Item.fingerprint,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return undefined;
  } catch (error) {
    const met = recordMetBy(error);
    if (!met) throw error;
    return met;
  }
}

function recordMetBy(error: unknown): v.InferOutput<typeof record> | undefined {
  const item = error instanceof ConditionalCheckFailedException ? error.Item : undefined;
  return item && v.parse(record, unmarshall(item));
}

async function readAnswer(key: Key, { attempt, packed, parts }: AnswerReference): Promise<KeptAnswer> {
  const keys = partKeys(parts, (part) => keptAnswerKey(key, attempt, part));
  return v.parse(keptAnswer, await (packed ? unpack([packed]) : readPacked(keys)));
}

/** Whether an answer is the last one, or another may follow while the attempt lives. */
interface Keeping {
  readonly isLast: boolean;
  readonly now: Date;
}

/**
 * The write that keeps an answer, for the transaction that makes it true. Its condition fails when another attempt has
 * taken over.
 */
export async function answerUpdate(attempt: Attempt, answer: KeptAnswer, keeping: Keeping): Promise<TransactItem> {
  return { Update: await keepingUpdate(attempt, answer, keeping) };
}

/**
 * Keeps the last answer, unless the attempt has kept its last one before.
 *
 * @returns the one that was kept before
 * @throws Error when another attempt has taken over
 */
export async function keepAnswer(attempt: Attempt, answer: KeptAnswer, now: Date): Promise<KeptAnswer | undefined> {
  const update = await keepingUpdate(attempt, answer, { isLast: true, now });
  try {
    await database.send(new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
    return undefined;
  } catch (error) {
    return keptBefore(attempt, error);
  }
}

/** The record that a condition has met must be of this attempt. @returns its answer */
async function keptBefore({ id, key }: Attempt, error: unknown): Promise<KeptAnswer | undefined> {
  const met = recordMetBy(error);
  if (met?.attempt !== id) throw error;
  return met.answer && readAnswer(key, met.answer);
}

async function keepingUpdate(attempt: Attempt, answer: KeptAnswer, { isLast, now }: Keeping) {
  const kept = { attempt: attempt.id, ...(await storeAnswer(attempt, answer, now)) };
  return {
    TableName: TABLE_NAME,
    Key: attempt.key,
    UpdateExpression: `SET answer = :answer, expiresAtEpochSeconds = :expiry${isLast ? ' REMOVE leaseEndsAt' : ''}`,
    ...stillAtWork(attempt, { ':answer': kept, ':expiry': expiryAt(now).expiresAtEpochSeconds }),
  };
}

function stillAtWork({ id }: Attempt, values: Readonly<Record<string, unknown>> = {}) {
  return {
    ConditionExpression: 'attempt = :attempt AND attribute_exists(leaseEndsAt)',
    ExpressionAttributeValues: { ':attempt': id, ...values },
  };
}

async function storeAnswer({ key, id }: Attempt, answer: KeptAnswer, now: Date) {
  const parts = await pack(answer);
  const [packed] = parts;
  if (packed && packed.length <= MAX_INLINE_BYTES) return { packed };
  const { expiresAtEpochSeconds } = expiryAt(now);
  for (const [position, packed] of parts.entries()) {
    const partKey = keptAnswerKey(key, id, position);
    const Item = { ...partKey, packed, expiresAtEpochSeconds: expiresAtEpochSeconds + PART_GRACE_SECONDS };
    await database.send(new PutCommand({ TableName: TABLE_NAME, Item }));
  }
  return { parts: parts.length };
}

/**
 * Ends an attempt that has come to no answer: the request may be sent again at once. An attempt that has kept an answer
 * has acted, even if it has not heard of it. Then nothing is given up, and repetitions get that answer.
 *
 * @returns the answer that was kept
 */
export async function endAttempt(attempt: Attempt): Promise<KeptAnswer | undefined> {
  const TableName = TABLE_NAME;
  const Key = attempt.key;
  const { ConditionExpression, ExpressionAttributeValues } = stillAtWork(attempt);
  const unanswered = `${ConditionExpression} AND attribute_not_exists(answer)`;
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
  try {
    await database.send(
      new DeleteCommand({
        TableName,
        Key,
        ConditionExpression: unanswered,
        ExpressionAttributeValues,
        ReturnValuesOnConditionCheckFailure,
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (recordMetBy(error)?.attempt !== attempt.id) return undefined;
    const kept = await keptBefore(attempt, error);
    const UpdateExpression = 'REMOVE leaseEndsAt';
    const isOwn = { ConditionExpression: 'attempt = :attempt', ExpressionAttributeValues };
    await database.send(new UpdateCommand({ TableName, Key, UpdateExpression, ...isOwn }));
    return kept;
  }
}

export const expiryAt = (now: Date) => ({ expiresAtEpochSeconds: epochSeconds(now) + KEPT_SECONDS });

const epochSeconds = (now: Date): number => Math.ceil(now.getTime() / 1_000);
