import { listOwnOrganizations } from '#shared/contract/organization/list-own-organizations.ts';
import { membershipsOf, readMemberships } from '#shared/data/sign-in/memberships.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/me/organizations: where the caller is a user. A key has one organization. */
export const handler = implement(listOwnOrganizations, async ({ principal, person, query }) => {
  const memberships = person ? await membershipsOf(person) : await ofKey(principal);
  const items = memberships.map(({ organizationId, organizationName, userId, role, linked }) => ({
    id: organizationId,
    name: organizationName,
    userId,
    role,
    linked,
  }));
  return { items: items.slice(query.offset, query.offset + query.limit), total: items.length };
});

async function ofKey(principal: Principal | undefined) {
  if (!principal) return [];
  const { organizationId, userId } = principal;
  const memberships = await readMemberships([{ organizationId, userId }]);
  return memberships.map((membership) => ({ ...membership, linked: true }));
}
