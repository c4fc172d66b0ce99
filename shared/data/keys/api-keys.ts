import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { apiKeyIdKey, apiKeyKey, apiKeyListingKey, apiKeyPartition, userKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { readFirst } from '#shared/data/table/collection.ts';
import { requireItem } from '#shared/data/table/item.ts';
import { knownAmong } from '#shared/data/table/known.ts';
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import { refusing, type TransactItem, type Write } from '#shared/data/table/transaction.ts';
import { type Condition, check, IS_ABSENT, put, update } from '#shared/data/table/writes.ts';
import { API_KEY_RANDOM_BYTES, type ApiKey, formatApiKey, hashApiKey } from '#shared/domain/keys/api-key.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { livingAt, type Roster, withKey } from '#shared/domain/keys/roster.ts';
import { ANY_SCOPES, type AnyScope, SCOPES } from '#shared/domain/keys/scopes.ts';
import { tokenInterval } from '#shared/domain/keys/token-bucket.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { type Membership, notAMember } from '#shared/domain/person.ts';
import { notFound, referenceNotFound } from '#shared/domain/problems.ts';
import { changeRoster, readRoster, rosterPut } from './roster.ts';

/**
 * One transaction writes the record that authenticates, a listing, a pointer from the key's id, and the roster.
 *
 * A key that another key made lives only while it is on the roster, where every lease looks: it ends with its maker,
 * whether its own items are deleted or not.
 */

export const bucket = v.object({
  rateLimit: v.number(),
  /** When the token bucket is full again, in microseconds since the epoch. */
  fullAt: v.number(),
});

/** Bucket of a key or of a signed-in user. */
export type Bucket = v.InferOutput<typeof bucket>;

export const keyRecord = v.object({
  ...bucket.entries,
  /** Only the bucket is left of a revoked key whose family lives on. */
  isRevoked: v.optional(v.boolean(), false),
  ...texts('id', 'organizationId', 'userId'),
  ...nullableTexts('expiresAt', 'createdByKeyId'),
  scopes: knownAmong(ANY_SCOPES),
  /**
   * Hash of the key that the family began with, whose bucket all of them share, or the bucket of the user who has signed
   * in and made it; null for that key itself.
   */
  familyHash: v.nullable(v.string()),
});

export type KeyRecord = v.InferOutput<typeof keyRecord>;

/** Includes platform keys. */
const listedKey = v.object({
  ...texts('id', 'name', 'organizationId', 'userId', 'createdAt'),
  ...nullableTexts('expiresAt', 'createdByKeyId'),
  scopes: knownAmong(ANY_SCOPES),
  rateLimit: v.number(),
});

const keyOfOrganization = v.object({ ...listedKey.entries, scopes: knownAmong(SCOPES) });

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
  answer: (issued: IssuedKey<S>) => Promise<readonly Write[]>,
): Promise<IssuedKey<S>> {
  const { issued, items } = mint(newKey, now);
  const answered = await answer(issued);
  const { organizationId, userId } = issued;
  const needsUser = organizationId !== PLATFORM_ID && !isOfMaker && !writeWithUser && userId !== signedIn?.userId;
  const others = [
    ...items,
    ...(needsUser
      ? [refusing(check(userKey(organizationId, userId), IS_ACTIVE), () => referenceNotFound('userId'))]
      : []),
    ...(signedIn
      ? [refusing(check(userKey(organizationId, signedIn.userId), isLinked(signedIn)), () => notAMember())]
      : []),
    ...answered,
  ];
  await changeRoster(organizationId, (roster) => ({ keys: withKey(roster, issued, now), others }), writeWithUser);
  return issued;
}

/** For an organization created in the same transaction. */
export async function firstApiKey<S extends AnyScope>(
  newKey: NewKey<S>,
  now: Date,
): Promise<{ readonly issued: IssuedKey<S>; readonly items: readonly TransactItem[] }> {
  const { issued, items } = mint(newKey, now);
  return { issued, items: [await rosterPut(issued.organizationId, withKey([], issued, now)), ...items] };
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
    put({ ...apiKeyKey(hash), ...recorded, ...tokens, ...expiry }, v.parser(keyRecord), IS_ABSENT),
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

export async function readApiKeys(
  organizationId: string,
  { limit, offset }: Slice,
  now: Date,
): Promise<Listed<ApiKey>> {
  const makers = new Map((await readLiving(organizationId, now)).map((key) => [key.id, key.createdByKeyId]));
  const ids = [...makers.keys()];
  const listings = await readListings(organizationId, ids.slice(offset, offset + limit));
  // The roster tells who made a key whose first maker is gone.
  const items = listings.map((item) => v.parse(keyOfOrganization, { ...item, createdByKeyId: makers.get(item.id) }));
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
  const found = v.parse(listing, await requireItem(apiKeyListingKey(organizationId, id)));
  if (found.isRevoked) throw notFound();
  return found;
}

/** For an operator who has only the key's id. @throws Problem `not_found` */
export async function organizationOfApiKey(id: string): Promise<string> {
  return v.parse(pointer, await requireItem(apiKeyIdKey(id))).organizationId;
}

/** The write that makes the bucket of a user, unless it is there. */
export function ensureUserBucket(userBucket: string, rateLimit: number): TransactItem {
  return update(apiKeyKey(userBucket), bucketChange(rateLimit));
}

/** The change that makes a bucket, or gives one another limit. */
export function bucketChange(rateLimit: number) {
  return {
    UpdateExpression: 'SET fullAt = if_not_exists(fullAt, :empty), rateLimit = :rateLimit, #interval = :interval',
    ExpressionAttributeNames: { '#interval': 'interval' },
    ExpressionAttributeValues: { ':empty': 0, ':rateLimit': rateLimit, ':interval': tokenInterval(rateLimit) },
  };
}
