import { getMe } from '#shared/contract/organization/me.ts';
import { readCaller } from '#shared/data/organization/caller.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/me: the key that was sent, its user and its organization, as they are now. */
export const handler = implement(getMe, async ({ principal }) => {
  const { key, organization, user } = await readCaller(principal);
  return {
    keyId: principal.keyId,
    keyName: key?.name ?? null,
    organizationId: organization.id,
    organizationName: organization.name,
    organizationTimeZone: organization.timeZone,
    userId: user.id,
    userName: user.name,
    email: user.email,
    role: user.role,
    timeZone: user.timeZone,
    scopes: SCOPES.filter((scope) => principal.scopes.includes(scope)),
    rateLimit: principal.rateLimit,
    expiresAt: principal.expiresAt,
    currency: organization.currency,
  };
});
