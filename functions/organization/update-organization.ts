import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';
import { changeOrganization, showOrganization } from '#shared/work/organization/numbered-organization.ts';

/** PATCH /v1/organization: changes the members that are sent and no others. */
export const handler = implement(updateOrganization, {
  load: ({ principal }) => readOrganization(principal.organizationId),
  show: showOrganization,
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, (organization) =>
      changeOrganization(organization, body, now, (changed) =>
        answer(changed, happening('organization.updated', changed)),
      ),
    ),
});
