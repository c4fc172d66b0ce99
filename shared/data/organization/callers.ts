import * as v from 'valibot';
import { apiKeyListingKey, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { organizationFrom } from './organizations.ts';
import { userFrom } from './users.ts';

/** A revoked key may be left for the bucket of its family. */
const listing = v.optional(v.object({ name: v.string(), isRevoked: v.optional(v.boolean(), false) }));

type Identity = Pick<Principal, 'keyId' | 'organizationId' | 'userId'>;

/** The organization, the user and the key of a caller, in one trip. Strongly consistent. */
export async function readCallerParts({ keyId, organizationId, userId }: Identity) {
  const keys = { organization: organizationKey(organizationId), user: userKey(organizationId, userId) };
  const keyKey = keyId === null ? undefined : apiKeyListingKey(organizationId, keyId);
  const itemOf = await readItems([keys.organization, keys.user, ...(keyKey ? [keyKey] : [])]);
  const organization = organizationFrom(itemOf(keys.organization));
  const user = userFrom(itemOf(keys.user));
  const key = keyKey && v.parse(listing, itemOf(keyKey));
  return {
    organization,
    user,
    /** Null for a person who has signed in. */
    keyName: key?.name ?? null,
    isKeyRevoked: keyKey !== undefined && (!key || key.isRevoked),
  };
}
