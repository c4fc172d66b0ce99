import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset, uuid } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { exampleOrganization } from '#shared/contract/organization/organization.ts';
import { exampleUser, user } from '#shared/contract/organization/user.ts';

const membership = component('Membership', 'An organization that the caller is a user of, or that has a user for it.', {
  id: described(uuid, 'The id of the organization, for `Billwright-Organization`.'),
  name: described(v.string(), 'The name of the organization.'),
  userId: described(uuid, 'The user that the caller is there, or would be.'),
  role: user.entries.role,
  linked: described(
    v.boolean(),
    'Whether the caller is that user already. If not, the first request that names the organization links it. True for a key.',
  ),
});

export const listOwnOrganizations = defineEndpoint({
  operationId: 'listOwnOrganizations',
  method: 'GET',
  path: '/v1/me/organizations',
  area: 'organization',
  summary: "List the caller's organizations, newest first",
  description:
    'A front end begins with this. A person who has signed in finds the organizations that it is linked to, and those that have a user with its verified email: whichever of these a request names as `Billwright-Organization`, is linked from then on. A key has one organization. A person has a rate limit of its own for this, 600 requests a minute, which its users do not share.',
  scope: 'any',
  takesAnyPerson: true,
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: membership },
  example: {
    response: {
      id: exampleOrganization.id,
      name: exampleOrganization.name,
      userId: exampleUser.id,
      role: exampleUser.role,
      linked: true,
    },
  },
});
