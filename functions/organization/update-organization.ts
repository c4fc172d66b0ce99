import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { readOrganization, saveOrganization } from '#shared/data/organization/organizations.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { reviseOrganization } from '#shared/domain/organization/organization.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/organization: changes the members that are sent and no others. */
export const handler = implement(updateOrganization, {
  load: ({ principal }) => readOrganization(principal.organizationId),
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, async (organization) => {
      const changed = reviseOrganization(organization, body, now);
      const others = await answer(changed, happening('organization.updated', changed));
      await saveOrganization(organization, changed, others);
      return changed;
    }),
});
