import { deleteLogo } from '#shared/contract/organization/delete-logo.ts';
import { readOrganization, saveOrganization } from '#shared/data/organization/organizations.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { reviseOrganization } from '#shared/domain/organization/organization.ts';
import { notFound } from '#shared/domain/problems.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/organization/logo: later documents have none, and those that were sent keep it. */
export const handler = implement(deleteLogo, {
  load: ({ principal }) => readOrganization(principal.organizationId),
  run: ({ now, fresh, answer }) =>
    retrying(fresh, async (organization) => {
      if (organization.logo === null) throw notFound();
      const changed = reviseOrganization(organization, { logo: null }, now);
      const others = await answer(changed.id, happening('organization.updated', changed));
      await saveOrganization(organization, changed, others);
      return changed.id;
    }),
});
