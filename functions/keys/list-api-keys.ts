import { listApiKeys } from '#shared/contract/keys/api-keys.ts';
import { readApiKeys } from '#shared/data/keys/api-keys.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/api-keys: lists the keys of the caller's organization, newest first, never with the key itself. */
export const handler = implement(listApiKeys, async ({ query, principal }) => {
  const keys = await readApiKeys(principal.organizationId);
  return { items: keys.slice(query.offset, query.offset + query.limit), total: keys.length };
});
