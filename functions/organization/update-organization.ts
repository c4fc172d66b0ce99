import { updateOrganization } from '#shared/contract/organization/organization.ts';
import { changeOrganization } from '#shared/data/organization/organizations.ts';
import { reviseOrganization } from '#shared/domain/organization/organization.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/organization: changes the members that are sent and no others. */
export const handler = implement(updateOrganization, ({ body, principal, now }) =>
  changeOrganization(principal.organizationId, (organization) => reviseOrganization(organization, body, now)),
);
