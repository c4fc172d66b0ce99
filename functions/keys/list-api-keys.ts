import { listApiKeys } from '#shared/contract/keys/list-api-keys.ts';
import { readApiKeys } from '#shared/data/keys/api-keys.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/api-keys: lists the keys of the caller's organization, newest first, never with the key itself. */
export const handler = implement(listApiKeys, ({ query, principal, now }) =>
  readApiKeys(principal.organizationId, query, now),
);
