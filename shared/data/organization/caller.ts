import * as v from 'valibot';
import { apiKey } from '#shared/contract/keys/api-keys.ts';
import { apiKeyListingKey, type Key, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import type { ApiKey, Principal } from '#shared/domain/keys/api-key.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { unauthenticated } from '#shared/domain/problems.ts';
import { organizationFrom } from './organizations.ts';
import { type User, userFrom } from './users.ts';

interface Caller {
  readonly key: ApiKey;
  readonly organization: Organization;
  readonly user: User;
}

/** Strongly consistent. @throws Problem `unauthenticated` when the key was revoked meanwhile */
export async function readCaller({ keyId, organizationId, userId }: Principal): Promise<Caller> {
  const keys = {
    key: apiKeyListingKey(organizationId, keyId),
    organization: organizationKey(organizationId),
    user: userKey(organizationId, userId),
  };
  const items = await batchGet(Object.values(keys));
  const itemOf = (key: Key) => items.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
  const key = itemOf(keys.key);
  if (!key) throw unauthenticated();
  return {
    key: v.parse(apiKey, key),
    organization: organizationFrom(itemOf(keys.organization)),
    user: userFrom(itemOf(keys.user)),
  };
}
