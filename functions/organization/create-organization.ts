import { createOrganization } from '#shared/contract/organization/create-organization.ts';
import { newOrganization } from '#shared/domain/organization/organization.ts';
import { newUser } from '#shared/domain/organization/users.ts';
import { implement } from '#shared/http/implement.ts';
import { insertOrganization } from '#shared/work/organization/create-organization.ts';

/** POST /v1/organizations: makes an organization, with an admin and a key that has every scope. */
export const handler = implement(createOrganization, async ({ body, now, newId, answer }) => {
  const { owner: person, ...wanted } = body;
  const organization = newOrganization(wanted, newId(), now);
  const owner = newUser({ ...person, role: 'admin' }, newId(), now);
  return insertOrganization(organization, owner, newId(), now, answer);
});
