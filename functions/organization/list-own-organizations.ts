import { listOwnOrganizations } from '#shared/contract/organization/me.ts';
import { membershipsOf, readMemberships } from '#shared/data/sign-in/memberships.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/me/organizations: where the caller is a user. A key has one organization. */
export const handler = implement(listOwnOrganizations, async ({ principal, person, query }) => {
  const memberships = person ? await membershipsOf(person) : await readMemberships(principal ? [principal] : []);
  const items = memberships.map(({ organizationId, organizationName, userId, role }) => ({
    id: organizationId,
    name: organizationName,
    userId,
    role,
  }));
  return { items: items.slice(query.offset, query.offset + query.limit), total: items.length };
});
