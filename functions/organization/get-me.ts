import { getMe } from '#shared/contract/organization/organization.ts';
import { readCaller } from '#shared/data/organization/caller.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/me: the key that was sent, its user and its organization, as they are now. */
export const handler = implement(getMe, async ({ principal }) => {
  const { key, organization, user } = await readCaller(principal);
  return {
    keyId: key.id,
    keyName: key.name,
    organizationId: organization.id,
    organizationName: organization.name,
    userId: user.id,
    userName: user.name,
    scopes: key.scopes,
    rateLimit: key.rateLimit,
    expiresAt: key.expiresAt,
    currency: organization.currency,
  };
});
