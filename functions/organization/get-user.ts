import { getUser } from '#shared/contract/organization/get-user.ts';
import { readUser } from '#shared/data/organization/users.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/users/{id}: one user of the caller's organization. */
export const handler = implement(getUser, ({ params, principal }) => readUser(principal.organizationId, params.id));
