import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset, searchText } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { exampleUser, user } from '#shared/contract/organization/user.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';

export const listUsers = defineEndpoint({
  operationId: 'listUsers',
  method: 'GET',
  path: '/v1/users',
  area: 'organization',
  summary: "List the organization's users, newest first",
  description: 'Removed ones are among them, unless `status` says otherwise.',
  scope: 'tracker:read',
  query: v.object({
    limit: limit(200, 50),
    offset,
    status: described(v.optional(v.picklist(USER_STATUSES)), 'Only users with this status.'),
    q: v.optional(searchText('Part of the name or the email, in any case.', 0, 255, 'bea')),
  }),
  response: { kind: 'list', item: user },
  problems: ['range_too_large'],
  example: { response: exampleUser },
});
