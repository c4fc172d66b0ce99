import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { type Bucket, bucket, bucketChange, type KeyRecord, keyRecord } from '#shared/data/keys/api-keys.ts';
import { readRoster } from '#shared/data/keys/roster.ts';
import { apiKeyKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { tryUpdate } from '#shared/data/table/item.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { availableTokens, tokenInterval, WINDOW_MICROSECONDS } from '#shared/domain/keys/token-bucket.ts';
import { PERSON_RATE_LIMIT } from '#shared/domain/person.ts';

/** The token buckets of callers, in the items that authenticate them. */

type Taking<Own extends Bucket> =
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'exhausted'; readonly own: Own }
  | { readonly kind: 'granted'; readonly own: Own; readonly tokens: number };

export interface Buckets<Own extends Bucket> {
  readonly own: Own;
  /** Null for the family's first key, for a signed-in person, and before it was read. */
  readonly family: Family | null;
}

/** The hash is that of the key that the family began with. */
export interface Family extends Bucket {
  readonly hash: string;
}

/** Undefined for a key that does not live. */
export type Taken<Own extends Bucket> = (Buckets<Own> & { readonly tokens: number }) | undefined;

const MAX_LEASE_ATTEMPTS = 8;

/**
 * Takes tokens from both buckets of a key. If one has fewer than the other, the surplus refills like all else.
 *
 * @param now microseconds since the epoch
 * @param known as this running function last saw the buckets; without them, one token is taken
 * @param atLeast if a bucket holds fewer, none is taken
 */
export async function leaseTokens(
  hash: string,
  wanted: number,
  now: number,
  known?: Buckets<KeyRecord>,
  atLeast = 1,
): Promise<Taken<KeyRecord>> {
  const family = known?.family;
  const room = family ? availableTokens(family.fullAt, now, family.rateLimit) : wanted;
  const taken = await takeTokens(keyRecord, hash, Math.max(atLeast, Math.min(wanted, room)), now, known?.own, atLeast);
  if (taken.kind === 'unknown_key' || taken.own.isRevoked) return undefined;
  const { own } = taken;
  const { id, organizationId, familyHash } = own;
  if (familyHash === null) return { own, family: null, tokens: tokensOf(taken) };
  if (!(await readRoster(organizationId)).some((key) => key.id === id)) return undefined;
  // The family pays nothing for a request that its key cannot pay.
  if (taken.kind === 'exhausted') return { own, family: family ?? null, tokens: 0 };
  const shared = await takeTokens(bucket, familyHash, Math.max(1, tokensOf(taken)), now, family ?? undefined, atLeast);
  if (shared.kind === 'unknown_key') return undefined;
  const tokens = Math.min(tokensOf(taken), tokensOf(shared));
  return { own, family: { ...shared.own, hash: familyHash }, tokens };
}

/** The same for a user who has signed in. */
export async function leaseUserTokens(
  userBucket: string,
  wanted: number,
  now: number,
  known?: Buckets<Bucket>,
  atLeast = 1,
): Promise<Taken<Bucket>> {
  const taken = await takeTokens(bucket, userBucket, Math.max(atLeast, wanted), now, known?.own, atLeast);
  return taken.kind === 'unknown_key' ? undefined : { own: taken.own, family: null, tokens: tokensOf(taken) };
}

/** Nothing leads to the bucket of a person, so it goes by itself. The next one begins full. */
const PERSON_BUCKET_SECONDS = 86_400;

/** The same for a person who acts as no user. The first request makes the bucket. */
export async function leasePersonTokens(
  personBucket: string,
  ...wanted: [wanted: number, now: number, known?: Buckets<Bucket>, atLeast?: number]
): Promise<Taken<Bucket>> {
  const taken = await leaseUserTokens(personBucket, ...wanted);
  if (taken) return taken;
  const [, now] = wanted;
  const change = bucketChange(PERSON_RATE_LIMIT);
  const expiry = Math.ceil(now / 1_000_000) + PERSON_BUCKET_SECONDS;
  await tryUpdate(apiKeyKey(personBucket), {
    UpdateExpression: `${change.UpdateExpression}, #expiry = :expiry`,
    ExpressionAttributeNames: { ...change.ExpressionAttributeNames, '#expiry': tableDefinition.timeToLiveAttribute },
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':expiry': expiry },
  });
  return leaseUserTokens(personBucket, ...wanted);
}

/** Takes all tokens, or none. @returns undefined when the key that the family began with was revoked */
export async function takeFromFamily(
  family: Family,
  tokens: number,
  now: number,
): Promise<{ readonly family: Family; readonly isTaken: boolean } | undefined> {
  const { hash } = family;
  const taken = await takeTokens(bucket, hash, tokens, now, family, tokens);
  if (taken.kind === 'unknown_key') return undefined;
  return { family: { ...taken.own, hash }, isTaken: taken.kind === 'granted' };
}

const tokensOf = (taking: Exclude<Taking<Bucket>, { kind: 'unknown_key' }>): number =>
  taking.kind === 'granted' ? taking.tokens : 0;

/**
 * One update authenticates a caller and pays for its next requests. A condition of the write decides whether the bucket
 * is full or its `fullAt` moves on, so no token is taken twice.
 */
async function takeTokens<Own extends Bucket>(
  schema: Schema<Own>,
  hash: string,
  tokens: number,
  now: number,
  known?: Own,
  atLeast = 1,
): Promise<Taking<Own>> {
  let seen = known;
  let wanted = known ? tokens : 1;
  for (let attempt = 0; attempt < MAX_LEASE_ATTEMPTS; attempt++) {
    const outcome = await tryLease(schema, hash, wanted, now, seen);
    if (outcome.written) return { kind: 'granted', own: outcome.own, tokens: wanted };
    if (!outcome.own) return { kind: 'unknown_key' };
    seen = outcome.own;
    const available = availableTokens(seen.fullAt, now, seen.rateLimit);
    if (available < atLeast) return { kind: 'exhausted', own: seen };
    wanted = Math.min(wanted, available);
  }
  return seen ? { kind: 'exhausted', own: seen } : { kind: 'unknown_key' };
}

type Schema<Own> = v.GenericSchema<unknown, Own>;

type Attempt<Own> = { written: true; own: Own } | { written: false; own: Own | undefined };

async function tryLease<Own extends Bucket>(
  schema: Schema<Own>,
  hash: string,
  tokens: number,
  now: number,
  seen: Own | undefined,
): Promise<Attempt<Own>> {
  try {
    const { Attributes } = await database.send(
      new UpdateCommand({
        TableName: TABLE_NAME,
        Key: apiKeyKey(hash),
        ...leaseUpdate(tokens, now, seen),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { written: true, own: v.parse(schema, Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, own: error.Item && v.parse(schema, unmarshall(error.Item)) };
  }
}

type LeaseUpdate = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues' | 'ExpressionAttributeNames'
>;

/** The first lease does not know the rate limit yet, so it uses the interval of the item. */
function leaseUpdate(tokens: number, now: number, seen: Bucket | undefined): LeaseUpdate {
  if (!seen) {
    return {
      UpdateExpression: 'SET fullAt = :now + #interval',
      ConditionExpression: 'attribute_exists(pk) AND fullAt <= :now',
      ExpressionAttributeNames: { '#interval': 'interval' },
      ExpressionAttributeValues: { ':now': now },
    };
  }
  const cost = tokens * tokenInterval(seen.rateLimit);
  if (seen.fullAt <= now) {
    return {
      UpdateExpression: 'SET fullAt = :fullAt',
      ConditionExpression: 'attribute_exists(pk) AND fullAt <= :now',
      ExpressionAttributeValues: { ':now': now, ':fullAt': now + cost },
    };
  }
  return {
    UpdateExpression: 'SET fullAt = fullAt + :cost',
    ConditionExpression: 'attribute_exists(pk) AND fullAt BETWEEN :now AND :latest',
    ExpressionAttributeValues: { ':cost': cost, ':now': now, ':latest': now + WINDOW_MICROSECONDS - cost },
  };
}
