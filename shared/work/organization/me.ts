import * as v from 'valibot';
import { apiKeyListingKey, organizationKey, userKey } from '#shared/data/layout/keys.ts';
import { organizationFrom } from '#shared/data/organization/organizations.ts';
import { userFrom } from '#shared/data/organization/users.ts';
import { readItems } from '#shared/data/table/batch.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { User } from '#shared/domain/organization/users.ts';
import { unauthenticated } from '#shared/domain/problems.ts';

/** A revoked key may be left for the bucket of its family. */
const listing = v.optional(v.object({ name: v.string(), isRevoked: v.optional(v.boolean(), false) }));

/**
 * The caller as it is shown, and its user as it is stored. Strongly consistent.
 *
 * @throws Problem `unauthenticated` when the key was revoked meanwhile, or the user removed
 */
export async function readCaller({ keyId, organizationId, userId, scopes, rateLimit, expiresAt }: Principal) {
  const keys = { organization: organizationKey(organizationId), user: userKey(organizationId, userId) };
  const keyKey = keyId === null ? undefined : apiKeyListingKey(organizationId, keyId);
  const itemOf = await readItems([keys.organization, keys.user, ...(keyKey ? [keyKey] : [])]);
  const organization = organizationFrom(itemOf(keys.organization));
  const user = userFrom(itemOf(keys.user));
  const key = keyKey && v.parse(listing, itemOf(keyKey));
  if (user.status === 'removed' || (keyKey && (!key || key.isRevoked))) throw unauthenticated();
  return {
    keyId,
    keyName: key?.name ?? null,
    organizationId,
    organizationName: organization.name,
    organizationTimeZone: organization.timeZone,
    userId,
    ...shownUser(user),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    rateLimit,
    expiresAt,
    currency: organization.currency,
    user,
  };
}

/** The caller after a change of its user. */
export function callerAs<Me extends object>(caller: Me, user: User): Me {
  return { ...caller, ...shownUser(user) };
}

function shownUser({ name, email, role, timeZone }: User) {
  return { userName: name, email, role, timeZone };
}
