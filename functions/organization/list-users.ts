import { listUsers } from '#shared/contract/organization/list-users.ts';
import { readUsers } from '#shared/data/organization/users.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/users: lists the users of the caller's organization, newest first. */
export const handler = implement(listUsers, ({ query, principal }) =>
  readUsers({ organizationId: principal.organizationId, ...query }),
);
