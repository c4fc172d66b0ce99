import { getLogo } from '#shared/contract/organization/get-logo.ts';
import { readLogo } from '#shared/data/organization/logos.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { logoTypeOf } from '#shared/domain/organization/logo.ts';
import { notFound } from '#shared/domain/problems.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/organization/logo: the picture as it was sent. */
export const handler = implement(getLogo, async ({ principal }) => {
  const { id, logo } = await readOrganization(principal.organizationId);
  const body = await readLogo(id, logo);
  if (!body) throw notFound();
  return { contentType: logoTypeOf(body), body };
});
