import { setLogo } from '#shared/contract/organization/set-logo.ts';
import { logoPut } from '#shared/data/organization/logos.ts';
import { readOrganization, saveOrganization } from '#shared/data/organization/organizations.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { logoOf } from '#shared/domain/organization/logo.ts';
import { reviseOrganization } from '#shared/domain/organization/organization.ts';
import { implement } from '#shared/http/implement.ts';

/** PUT /v1/organization/logo: the picture that documents have in their head from now on. */
export const handler = implement(setLogo, {
  load: ({ principal }) => readOrganization(principal.organizationId),
  run: ({ body: { bytes, contentType }, now, fresh, answer }) => {
    const logo = logoOf(bytes, contentType);
    return retrying(fresh, async (organization) => {
      const changed = reviseOrganization(organization, { logo: logo.hash }, now);
      const others = await answer(logo, happening('organization.updated', changed));
      await saveOrganization(organization, changed, [logoPut(changed.id, logo.hash, bytes), ...others]);
      return logo;
    });
  },
});
