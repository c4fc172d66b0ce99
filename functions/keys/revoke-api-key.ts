import { revokeApiKey } from '#shared/contract/keys/api-keys.ts';
import { getApiKey, removeApiKey } from '#shared/data/keys/api-keys.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/api-keys/{id}: revokes a key. The key stops working everywhere within 30 seconds. */
export const handler = implement(revokeApiKey, {
  load: ({ params, principal }) => getApiKey(principal.organizationId, params.id),
  run: async ({ resource, principal }) => {
    await removeApiKey(resource, principal);
    return resource.id;
  },
});
