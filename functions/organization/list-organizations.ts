import { listOrganizations } from '#shared/contract/organization/list-organizations.ts';
import { readOrganizations } from '#shared/data/organization/organizations.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/organizations: all organizations, or those of a status, newest first. */
export const handler = implement(listOrganizations, ({ query }) => readOrganizations(query));
