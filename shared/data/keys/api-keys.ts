import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { apiKey as apiKeySchema } from '#shared/contract/keys/api-keys.ts';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { apiKeyIdKey, apiKeyKey, apiKeyListingKey, apiKeyPartition, type Key } from '#shared/data/dynamo/keys.ts';
import { ConditionFailed, transact } from '#shared/data/dynamo/transaction.ts';
import { API_KEY_RANDOM_BYTES, type ApiKey, formatApiKey, hashApiKey } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { availableTokens, tokenInterval, WINDOW_MICROSECONDS } from '#shared/domain/keys/token-bucket.ts';
import { notFound } from '#shared/domain/problems.ts';

/**
 * API keys. The record that authenticates lies under the key's hash and carries the token bucket. A listing lies under
 * the organization, and a pointer under the key's id. All three are written and deleted together.
 */

const record = v.object({
  id: v.string(),
  organizationId: v.string(),
  userId: v.string(),
  scopes: v.array(v.picklist(SCOPES)),
  currency: v.string(),
  rateLimit: v.number(),
  expiresAt: v.nullable(v.string()),
  /** When the token bucket is full again, in microseconds since the epoch. */
  fullAt: v.number(),
});

export type KeyRecord = v.InferOutput<typeof record>;

const listing = v.object({ ...apiKeySchema.entries, hash: v.string() });

type NewKey = Omit<ApiKey, 'createdAt'> & { readonly currency: string };

/** Stores a new key. Only the response holds the key itself. */
export async function issueApiKey({ currency, ...newKey }: NewKey, now: Date): Promise<ApiKey & { apiKey: string }> {
  const apiKey = formatApiKey(randomBytes(API_KEY_RANDOM_BYTES));
  const hash = hashApiKey(apiKey);
  const key: ApiKey = { ...newKey, createdAt: now.toISOString() };
  const expiry = key.expiresAt ? { expiresAtEpochSeconds: Math.ceil(Date.parse(key.expiresAt) / 1_000) } : {};
  const { id, organizationId, userId, scopes, rateLimit, expiresAt } = key;
  const interval = tokenInterval(rateLimit);
  await transact([
    putNew(apiKeyKey(hash), {
      id,
      organizationId,
      userId,
      scopes,
      currency,
      rateLimit,
      expiresAt,
      interval,
      fullAt: 0,
      ...expiry,
    }),
    putNew(apiKeyListingKey(organizationId, id), { ...key, hash, ...expiry }),
    putNew(apiKeyIdKey(id), { organizationId, ...expiry }),
  ]);
  return { ...key, apiKey };
}

function putNew(key: Key, attributes: Record<string, unknown>) {
  return {
    Put: { TableName: TABLE_NAME, Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(pk)' },
  };
}

export async function readApiKeys(organizationId: string): Promise<ApiKey[]> {
  const items = await readCollection({ partition: apiKeyPartition(organizationId) });
  return items.map((item) => v.parse(apiKeySchema, item));
}

/** @throws Problem `not_found` */
export async function getApiKey(organizationId: string, id: string): Promise<v.InferOutput<typeof listing>> {
  const item = await readItem(apiKeyListingKey(organizationId, id));
  if (!item) throw notFound();
  return v.parse(listing, item);
}

/** The organization that a key belongs to, for an operator who has only the key's id. */
export async function organizationOfApiKey(id: string): Promise<string> {
  const item = await readItem(apiKeyIdKey(id));
  if (!item) throw notFound();
  return v.parse(v.string(), item.organizationId);
}

/**
 * Deletes a key. Running functions still accept the key while their lease of tokens lasts, and no longer.
 *
 * @throws Problem `not_found` when the key was revoked meanwhile
 */
export async function removeApiKey({
  organizationId,
  id,
  hash,
}: Pick<ApiKey, 'organizationId' | 'id'> & { hash: string }): Promise<void> {
  const keys = [apiKeyListingKey(organizationId, id), apiKeyKey(hash), apiKeyIdKey(id)];
  try {
    await transact(
      keys.map((Key, position) => ({
        Delete: { TableName: TABLE_NAME, Key, ...(position === 0 && { ConditionExpression: 'attribute_exists(pk)' }) },
      })),
    );
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound() : error;
  }
}

export type Lease =
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'exhausted'; readonly key: KeyRecord }
  | { readonly kind: 'granted'; readonly key: KeyRecord; readonly tokens: number };

const MAX_LEASE_ATTEMPTS = 8;

/**
 * Takes tokens from a key's bucket and returns the key's record. One update authenticates a caller and pays for its
 * next requests.
 *
 * A full bucket starts anew from now; the `fullAt` of any other moves further ahead. A condition of the write decides
 * which case holds. So no token is taken twice, even if many functions take tokens at once.
 *
 * @param known the record as this function last saw it; without it, one token is taken
 * @param now microseconds since the epoch
 */
export async function leaseTokens(hash: string, tokens: number, now: number, known?: KeyRecord): Promise<Lease> {
  let seen = known;
  let wanted = known ? tokens : 1;
  for (let attempt = 0; attempt < MAX_LEASE_ATTEMPTS; attempt++) {
    const outcome = await tryLease(hash, wanted, now, seen);
    if (outcome.written) return { kind: 'granted', key: outcome.key, tokens: wanted };
    if (!outcome.key) return { kind: 'unknown_key' };
    seen = outcome.key;
    const available = availableTokens(seen.fullAt, now, seen.rateLimit);
    if (available === 0) return { kind: 'exhausted', key: seen };
    wanted = Math.min(wanted, available);
  }
  return seen ? { kind: 'exhausted', key: seen } : { kind: 'unknown_key' };
}

type Attempt = { written: true; key: KeyRecord } | { written: false; key: KeyRecord | undefined };

async function tryLease(hash: string, tokens: number, now: number, seen: KeyRecord | undefined): Promise<Attempt> {
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
    return { written: true, key: v.parse(record, Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, key: error.Item && v.parse(record, unmarshall(error.Item)) };
  }
}

type LeaseUpdate = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues' | 'ExpressionAttributeNames'
>;

/** The first lease does not know the rate limit yet, so it uses the interval that the item itself carries. */
function leaseUpdate(tokens: number, now: number, seen: KeyRecord | undefined): LeaseUpdate {
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
