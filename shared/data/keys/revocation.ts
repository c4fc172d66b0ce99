import * as v from 'valibot';
import { apiKeyIdKey, apiKeyKey, apiKeyListingKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { attemptAll, batchesOf } from '#shared/data/table/parallel.ts';
import {
  ITEMS_PER_TRANSACTION,
  refusing,
  type TransactItem,
  transact,
  type Write,
} from '#shared/data/table/transaction.ts';
import { type Condition, EXISTS, remove, update } from '#shared/data/table/writes.ts';
import { assertOutside, familyOf, livingAt, type Roster, withoutKeys } from '#shared/domain/keys/roster.ts';
import { notFound } from '#shared/domain/problems.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { type Listing, listing } from './api-keys.ts';
import { changeRoster } from './roster.ts';

interface Revocation {
  readonly keepsMade?: boolean;
  /** The key that revokes; null for an operator, and for a person who signed in. */
  readonly byKeyId?: string | null;
}

/**
 * Revokes a key, and all that came from it or none of them. Running functions accept them while their leases of tokens
 * last.
 *
 * @param answer gets the keys that end now
 * @throws Problem `not_found` when the key was revoked meanwhile, `own_family`
 */
export async function removeApiKey(
  key: Listing,
  now: Date,
  answer: (ended: Roster) => Promise<readonly Write[]>,
  { keepsMade = false, byKeyId = null }: Revocation = {},
): Promise<void> {
  const { organizationId, id } = key;
  const before = await changeRoster(organizationId, async (roster) => {
    const family = familyOf(roster, id);
    if (keepsMade) assertOutside(family, byKeyId);
    const gone = keepsMade ? new Set([id]) : family;
    const ends = endOf(key, roster, gone, EXISTS).map((item) => refusing(item, notFound));
    const answered = await answer(livingAt(roster, now).filter((each) => gone.has(each.id)));
    return { keys: withoutKeys(roster, gone), others: [...ends, ...answered] };
  });
  const made = keepsMade ? [] : [...familyOf(before, id)].filter((other) => other !== id);
  await deleteLeftovers(organizationId, async () => {
    const listings = await batchGet(made.map((other) => apiKeyListingKey(organizationId, other)));
    return v.parse(v.array(listing), listings).map((key) => itemsOf(key).map((item) => remove(item)));
  });
}

/** The bucket is left of the first key of a family that lives on, with the listing that tells where it lies. */
export function endOf(key: Listing, roster: Roster, gone: ReadonlySet<string>, condition?: Condition): TransactItem[] {
  const { organizationId, id, hash, createdByKeyId } = key;
  const isBucket = createdByKeyId === null && [...familyOf(roster, id)].some((other) => !gone.has(other));
  if (!isBucket) return itemsOf(key).map((item) => remove(item, condition));
  const revoked = {
    UpdateExpression: 'SET isRevoked = :true',
    ...condition,
    ExpressionAttributeValues: { ':true': true },
  };
  return [
    update(apiKeyListingKey(organizationId, id), revoked),
    update(apiKeyKey(hash), revoked),
    remove(apiKeyIdKey(id), condition),
  ];
}

const itemsOf = ({ organizationId, id, hash }: Pick<Listing, 'organizationId' | 'id' | 'hash'>) => [
  apiKeyListingKey(organizationId, id),
  apiKeyKey(hash),
  apiKeyIdKey(id),
];

/** Each key has three items. */
export const ITEMS_OF_A_KEY = 3;

const KEYS_PER_TRANSACTION = Math.floor(ITEMS_PER_TRANSACTION / ITEMS_OF_A_KEY);

/**
 * Deletes items of keys that live no more, as far as it gets: they give access to nothing. Those of one key go together,
 * because only its listing leads to the others.
 *
 * @param find the items of each key
 */
export async function deleteLeftovers(
  organizationId: string,
  find: () => Promise<readonly TransactItem[][]>,
): Promise<void> {
  try {
    await attemptAll(batchesOf(await find(), KEYS_PER_TRANSACTION), (batch) => transact(batch.flat()));
  } catch (error) {
    logger.warn('items of revoked keys are left', { organizationId, error: asError(error) });
  }
}
