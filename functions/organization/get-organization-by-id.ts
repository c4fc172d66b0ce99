import { getOrganizationById } from '#shared/contract/organization/get-organization-by-id.ts';
import { requireOrganization } from '#shared/data/organization/organizations.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/organizations/{id}: an organization, until all that it had is removed. */
export const handler = implement(getOrganizationById, ({ params }) => requireOrganization(params.id));
