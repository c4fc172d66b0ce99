import { revokeApiKey } from '#shared/contract/keys/revoke-api-key.ts';
import { getApiKey } from '#shared/data/keys/api-keys.ts';
import { removeApiKey } from '#shared/data/keys/revocation.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/api-keys/{id}: revokes a key. The key stops working everywhere within 30 seconds. */
export const handler = implement(revokeApiKey, {
  load: ({ params, principal }) => getApiKey(principal.organizationId, params.id),
  run: async ({ resource, query, principal }) => {
    await removeApiKey(resource, { keepsMade: query.keepMade, byKeyId: principal.keyId });
    return resource.id;
  },
});
