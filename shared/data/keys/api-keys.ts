import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { apiKey as apiKeySchema } from '#shared/contract/keys/api-keys.ts';
import type { Listed } from '#shared/contract/pagination.ts';
import { apiKeyIdKey, apiKeyKey, apiKeyListingKey, apiKeyPartition, userKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { readFirst } from '#shared/data/table/collection.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { readItem, tryUpdate } from '#shared/data/table/item.ts';
import { knownAmong } from '#shared/data/table/known.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { refusing, type TransactItem, type Write } from '#shared/data/table/transaction.ts';
import { type Condition, check, IS_ABSENT, put, update } from '#shared/data/table/writes.ts';
import { API_KEY_RANDOM_BYTES, type ApiKey, formatApiKey, hashApiKey } from '#shared/domain/keys/api-key.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { livingAt, type Roster, withKey } from '#shared/domain/keys/roster.ts';
import { ANY_SCOPES, type AnyScope } from '#shared/domain/keys/scopes.ts';
import { availableTokens, tokenInterval, WINDOW_MICROSECONDS } from '#shared/domain/keys/token-bucket.ts';
import { type Membership, notAMember, PERSON_RATE_LIMIT } from '#shared/domain/person.ts';
import { notFound, referenceNotFound } from '#shared/domain/problems.ts';
import { changeRoster, firstRoster, readRoster } from './roster.ts';

/**
 * One transaction writes the record that authenticates, a listing, a pointer from the key's id, and the roster.
 *
 * A key that another key made lives only while it is on the roster, where every lease looks: it ends with its maker,
 * whether its own items are deleted or not.
 */

const bucket = v.object({
  rateLimit: v.number(),
  /** When the token bucket is full again, in microseconds since the epoch. */
  fullAt: v.number(),
});

/** Of a key, or of a user who has signed in. */
export type Bucket = v.InferOutput<typeof bucket>;

const record = v.object({
  ...bucket.entries,
  /** Only the bucket is left of a revoked key whose family lives on. */
  isRevoked: v.optional(v.boolean(), false),
  id: v.string(),
  organizationId: v.string(),
  userId: v.string(),
  scopes: knownAmong(ANY_SCOPES),
  expiresAt: v.nullable(v.string()),
  createdByKeyId: v.nullable(v.string()),
  /**
   * Hash of the key that the family began with, whose bucket all of them share, or the bucket of the user who has signed
   * in and made it; null for that key itself.
   */
  familyHash: v.nullable(v.string()),
});

export type KeyRecord = v.InferOutput<typeof record>;

/** Of the platform, too. */
const listedKey = v.object({ ...apiKeySchema.entries, scopes: knownAmong(ANY_SCOPES) });

/** `isRevoked`: kept for the bucket of its family alone. */
export const listing = v.object({
  ...listedKey.entries,
  hash: v.string(),
  isRevoked: v.optional(v.boolean(), false),
});

export type Listing = v.InferOutput<typeof listing>;

/** From the id of a key. */
const pointer = v.object({ organizationId: v.string() });

interface NewKey<S extends AnyScope> extends Omit<ApiKey, 'createdAt' | 'scopes'> {
  readonly scopes: readonly S[];
  readonly familyHash?: string | null;
}

interface IssuedKey<S extends AnyScope> extends Omit<NewKey<S>, 'familyHash'> {
  readonly createdAt: string;
  readonly apiKey: string;
}

interface Maker {
  /** Whether it is a key of the same user: that one is on the roster only while the user is active. */
  readonly isOfMaker?: boolean;
  /** The user who has signed in and makes it, with the generation of its link. */
  readonly signedIn?: Pick<Membership, 'userId' | 'linkGeneration'>;
  /** Writes the key in the transaction that makes its user. */
  readonly writeWithUser?: (items: readonly Write[]) => Promise<void>;
}

/**
 * @throws Problem `unauthenticated` if the key that makes it was revoked meanwhile, `not_a_member` if the link of who has
 *   signed in has ended, `reference_not_found` if its own user was removed, `too_many_api_keys`
 */
export async function issueApiKey<S extends AnyScope>(
  { isOfMaker = false, signedIn, writeWithUser, ...newKey }: NewKey<S> & Maker,
  now: Date,
  answer?: (issued: IssuedKey<S>) => Promise<unknown>,
): Promise<IssuedKey<S>> {
  const { issued, items } = mint(newKey, now);
  await answer?.(issued);
  const { organizationId, userId } = issued;
  const needsUser = organizationId !== PLATFORM_ID && !isOfMaker && !writeWithUser && userId !== signedIn?.userId;
  const others = [
    ...items,
    ...(needsUser
      ? [refusing(check(userKey(organizationId, userId), IS_ACTIVE), () => referenceNotFound('userId'))]
      : []),
    ...(signedIn ? [refusing(check(userKey(organizationId, signedIn.userId), isLinked(signedIn)), notAMember)] : []),
  ];
  await changeRoster(organizationId, (roster) => ({ keys: withKey(roster, issued, now), others }), writeWithUser);
  return issued;
}

/** Of an organization that the same transaction makes. */
export async function firstApiKey<S extends AnyScope>(
  newKey: NewKey<S>,
  now: Date,
): Promise<{ readonly issued: IssuedKey<S>; readonly items: readonly TransactItem[] }> {
  const { issued, items } = mint(newKey, now);
  return { issued, items: [await firstRoster(issued.organizationId, withKey([], issued, now)), ...items] };
}

function mint<S extends AnyScope>({ familyHash = null, ...newKey }: NewKey<S>, now: Date) {
  const apiKey = formatApiKey(randomBytes(API_KEY_RANDOM_BYTES));
  const hash = hashApiKey(apiKey);
  const key = { ...newKey, createdAt: now.toISOString() };
  const expiry = key.expiresAt ? { expiresAtEpochSeconds: Math.ceil(Date.parse(key.expiresAt) / 1_000) } : {};
  const { name, createdAt, ...recorded } = key;
  const { id, organizationId } = key;
  const tokens = { familyHash, interval: tokenInterval(key.rateLimit), fullAt: 0 };
  const items = [
    put({ ...apiKeyKey(hash), ...recorded, ...tokens, ...expiry }, v.parser(record), IS_ABSENT),
    put({ ...apiKeyListingKey(organizationId, id), ...key, hash, ...expiry }, v.parser(listing), IS_ABSENT),
    put({ ...apiKeyIdKey(id), organizationId, ...expiry }, v.parser(pointer), IS_ABSENT),
  ];
  return { issued: { ...key, apiKey }, items };
}

const IS_ACTIVE: Condition = {
  ConditionExpression: '#status = :active',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':active': 'active' },
};

const isLinked = ({ linkGeneration }: Pick<Membership, 'linkGeneration'>): Condition => ({
  ConditionExpression: 'linkGeneration = :generation',
  ExpressionAttributeValues: { ':generation': linkGeneration },
});

interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

export async function readApiKeys(
  organizationId: string,
  { limit, offset }: PageRequest,
  now: Date,
): Promise<Listed<ApiKey>> {
  const makers = new Map((await readLiving(organizationId, now)).map((key) => [key.id, key.createdByKeyId]));
  const ids = [...makers.keys()];
  const listings = await readListings(organizationId, ids.slice(offset, offset + limit));
  // The roster tells who made a key whose first maker is gone.
  const items = listings.map((item) => v.parse(apiKeySchema, { ...item, createdByKeyId: makers.get(item.id) }));
  return { items, total: ids.length };
}

export async function readPlatformKeys(now: Date): Promise<v.InferOutput<typeof listedKey>[]> {
  const ids = (await readLiving(PLATFORM_ID, now)).map(({ id }) => id);
  const listings = await readListings(PLATFORM_ID, ids);
  return listings.map((item) => v.parse(listedKey, item));
}

/** Newest first. */
async function readLiving(organizationId: string, now: Date): Promise<Roster> {
  const living = livingAt(await readRoster(organizationId), now);
  return [...living].sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Live keys are nearly contiguous, so one range finds most. @param ids newest first */
export async function readListings(organizationId: string, ids: readonly string[]): Promise<Listing[]> {
  const [newest, oldest] = [ids[0], ids.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const between = { from: oldest, to: newest };
  const inRange = await readFirst({ partition: apiKeyPartition(organizationId), between }, ids.length);
  const found = new Set(inRange.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  const others = await batchGet(missing.map((id) => apiKeyListingKey(organizationId, id)));
  const byId = new Map(v.parse(v.array(listing), [...inRange, ...others]).map((key) => [key.id, key]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** @throws Problem `not_found` */
export async function getApiKey(organizationId: string, id: string): Promise<Listing> {
  const item = await readItem(apiKeyListingKey(organizationId, id));
  const found = item && v.parse(listing, item);
  if (!found || found.isRevoked) throw notFound();
  return found;
}

/** For an operator who has only the key's id. @throws Problem `not_found` */
export async function organizationOfApiKey(id: string): Promise<string> {
  const item = await readItem(apiKeyIdKey(id));
  if (!item) throw notFound();
  return v.parse(pointer, item).organizationId;
}

type Taking<Own extends Bucket> =
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'exhausted'; readonly key: Own }
  | { readonly kind: 'granted'; readonly key: Own; readonly tokens: number };

export interface Buckets<Own extends Bucket> {
  readonly key: Own;
  /** Null for the key that the family began with, for who has signed in, and before it was first read. */
  readonly family: Family | null;
}

/** The hash is that of the key that the family began with. */
export interface Family extends Bucket {
  readonly hash: string;
}

/** Undefined for a key that does not live. */
export type Lease<Own extends Bucket> = (Buckets<Own> & { readonly tokens: number }) | undefined;

const MAX_LEASE_ATTEMPTS = 8;

/**
 * Takes tokens from both buckets of a key. If one has fewer than the other, the surplus refills like all else.
 *
 * @param now microseconds since the epoch
 * @param known as this function last saw the buckets; without them, one token is taken
 * @param atLeast if a bucket holds fewer, none is taken
 */
export async function leaseTokens(
  hash: string,
  wanted: number,
  now: number,
  known?: Buckets<KeyRecord>,
  atLeast = 1,
): Promise<Lease<KeyRecord>> {
  const family = known?.family;
  const room = family ? availableTokens(family.fullAt, now, family.rateLimit) : wanted;
  const own = await takeTokens(record, hash, Math.max(atLeast, Math.min(wanted, room)), now, known?.key, atLeast);
  if (own.kind === 'unknown_key' || own.key.isRevoked) return undefined;
  const { id, organizationId, familyHash } = own.key;
  if (familyHash === null) return { key: own.key, family: null, tokens: tokensOf(own) };
  if (!(await readRoster(organizationId)).some((key) => key.id === id)) return undefined;
  // The family pays nothing for a request that its key cannot pay.
  if (own.kind === 'exhausted') return { key: own.key, family: family ?? null, tokens: 0 };
  const shared = await takeTokens(bucket, familyHash, Math.max(1, tokensOf(own)), now, family ?? undefined, atLeast);
  if (shared.kind === 'unknown_key') return undefined;
  const tokens = Math.min(tokensOf(own), tokensOf(shared));
  return { key: own.key, family: { ...shared.key, hash: familyHash }, tokens };
}

/** The same for a user who has signed in. */
export async function leaseUserTokens(
  userBucket: string,
  wanted: number,
  now: number,
  known?: Buckets<Bucket>,
  atLeast = 1,
): Promise<Lease<Bucket>> {
  const own = await takeTokens(bucket, userBucket, Math.max(atLeast, wanted), now, known?.key, atLeast);
  return own.kind === 'unknown_key' ? undefined : { key: own.key, family: null, tokens: tokensOf(own) };
}

/** The write that makes the bucket of a user, unless it is there. */
export function ensureUserBucket(userBucket: string, rateLimit: number): TransactItem {
  return update(apiKeyKey(userBucket), bucketChange(rateLimit));
}

function bucketChange(rateLimit: number) {
  return {
    UpdateExpression: 'SET fullAt = if_not_exists(fullAt, :empty), rateLimit = :rateLimit, #interval = :interval',
    ExpressionAttributeNames: { '#interval': 'interval' },
    ExpressionAttributeValues: { ':empty': 0, ':rateLimit': rateLimit, ':interval': tokenInterval(rateLimit) },
  };
}

/** Nothing leads to the bucket of a person, so it goes by itself. The next one begins full. */
const PERSON_BUCKET_SECONDS = 86_400;

/** The same for a person who acts as no user. The first request makes the bucket. */
export async function leasePersonTokens(
  personBucket: string,
  ...wanted: [wanted: number, now: number, known?: Buckets<Bucket>, atLeast?: number]
): Promise<Lease<Bucket>> {
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
  return { family: { ...taken.key, hash }, isTaken: taken.kind === 'granted' };
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
    if (outcome.written) return { kind: 'granted', key: outcome.key, tokens: wanted };
    if (!outcome.key) return { kind: 'unknown_key' };
    seen = outcome.key;
    const available = availableTokens(seen.fullAt, now, seen.rateLimit);
    if (available < atLeast) return { kind: 'exhausted', key: seen };
    wanted = Math.min(wanted, available);
  }
  return seen ? { kind: 'exhausted', key: seen } : { kind: 'unknown_key' };
}

type Schema<Own> = v.GenericSchema<unknown, Own>;

type Attempt<Own> = { written: true; key: Own } | { written: false; key: Own | undefined };

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
    return { written: true, key: v.parse(schema, Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, key: error.Item && v.parse(schema, unmarshall(error.Item)) };
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
