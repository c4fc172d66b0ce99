import { getOrganization } from '#shared/contract/organization/get-organization.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/organization: the caller's organization. */
export const handler = implement(getOrganization, ({ principal }) => readOrganization(principal.organizationId));
