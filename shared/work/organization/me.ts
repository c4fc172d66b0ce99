import { readCallerParts } from '#shared/data/organization/callers.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { User } from '#shared/domain/organization/users.ts';
import { unauthenticated } from '#shared/domain/problems.ts';

/**
 * The caller as it is shown, and its user as it is stored. Strongly consistent.
 *
 * @throws Problem `unauthenticated` when the key was revoked meanwhile, or the user removed
 */
export async function readCaller(principal: Principal) {
  const { keyId, organizationId, userId, scopes, rateLimit, expiresAt } = principal;
  const { organization, user, keyName, isKeyRevoked } = await readCallerParts(principal);
  if (user.status === 'removed' || isKeyRevoked) throw unauthenticated();
  return {
    keyId,
    keyName,
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
