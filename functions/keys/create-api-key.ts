import { createApiKey } from '#shared/contract/keys/api-keys.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { assertGrantable, expiryOf } from '#shared/domain/keys/api-key.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/api-keys: issues a key of the caller's organization, with no scope that the caller lacks. */
export const handler = implement(createApiKey, async ({ body, principal, now, newId }) => {
  assertGrantable(body.scopes, principal.scopes);
  const { organizationId, currency } = principal;
  const userId = body.user === undefined ? principal.userId : (await ensureUser(organizationId, body.user)).id;
  const { name, scopes, rateLimit, expiresInDays } = body;
  const expiresAt = expiryOf(expiresInDays, now);
  return issueApiKey({ id: newId(), name, organizationId, userId, scopes, rateLimit, expiresAt, currency }, now);
});
