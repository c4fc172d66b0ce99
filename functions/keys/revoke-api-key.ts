import { revokeApiKey } from '#shared/contract/keys/revoke-api-key.ts';
import { getApiKey } from '#shared/data/keys/api-keys.ts';
import { removeApiKey } from '#shared/data/keys/revocation.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/api-keys/{id}: revokes a key. The key stops working everywhere within 30 seconds. */
export const handler = implement(revokeApiKey, {
  load: ({ params, principal }) => getApiKey(principal.organizationId, params.id),
  run: async ({ resource, query, principal, now, answer }) => {
    const revoked = (keys: readonly { readonly id: string }[]) =>
      answer(resource.id, ...keys.map((key) => happening('api_key.revoked', key)));
    await removeApiKey(resource, now, revoked, { keepsMade: query.keepMade, byKeyId: principal.keyId });
    return resource.id;
  },
});
