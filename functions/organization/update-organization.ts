import { updateOrganization } from '#shared/contract/organization/organization.ts';
import { changeOrganization, readOrganization } from '#shared/data/organization/organizations.ts';
import { reviseOrganization } from '#shared/domain/organization/organization.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/organization: changes the members that are sent and no others. */
export const handler = implement(updateOrganization, {
  load: ({ principal }) => readOrganization(principal.organizationId),
  run: ({ resource, body, now }) => changeOrganization(resource, (current) => reviseOrganization(current, body, now)),
});
