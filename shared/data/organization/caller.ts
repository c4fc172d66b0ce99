import * as v from 'valibot';
import { apiKey } from '#shared/contract/keys/api-keys.ts';
import { apiKeyListingKey, type Key, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import type { ApiKey, Principal } from '#shared/domain/keys/api-key.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/organization/users.ts';
import { unauthenticated } from '#shared/domain/problems.ts';
import { organizationFrom } from './organizations.ts';
import { userFrom } from './users.ts';

interface Caller {
  /** Null for a person who signed in. */
  readonly key: ApiKey | null;
  readonly organization: Organization;
  readonly user: User;
}

/** Strongly consistent. @throws Problem `unauthenticated` when the key was revoked meanwhile */
export async function readCaller({ keyId, organizationId, userId }: Principal): Promise<Caller> {
  const keys = { organization: organizationKey(organizationId), user: userKey(organizationId, userId) };
  const listing = keyId === null ? undefined : apiKeyListingKey(organizationId, keyId);
  const items = await batchGet([keys.organization, keys.user, ...(listing ? [listing] : [])]);
  const itemOf = (key: Key) => items.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
  const key = listing && itemOf(listing);
  if (listing && !key) throw unauthenticated();
  return {
    key: key ? v.parse(apiKey, key) : null,
    organization: organizationFrom(itemOf(keys.organization)),
    user: userFrom(itemOf(keys.user)),
  };
}
