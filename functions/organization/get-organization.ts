import { getOrganization } from '#shared/contract/organization/get-organization.ts';
import { implement } from '#shared/http/implement.ts';
import { readNumberedOrganization } from '#shared/work/organization/numbered-organization.ts';

/** GET /v1/organization: the caller's organization. */
export const handler = implement(getOrganization, ({ principal, now }) =>
  readNumberedOrganization(principal.organizationId, now),
);
