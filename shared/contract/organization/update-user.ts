import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { explainedBy } from '#shared/contract/meaning.ts';
import { exampleColleague, members, user } from '#shared/contract/organization/user.ts';

export const updateUser = defineEndpoint({
  operationId: 'updateUser',
  method: 'PATCH',
  path: '/v1/users/{id}',
  area: 'organization',
  summary: 'Change a user',
  description: [
    'Only the members that are sent change. A new role takes effect everywhere within 30 seconds. The last active admin stays one.',
    'Another email ends the sign-ins of the user everywhere within 30 seconds, and its open invitation, unless only the case of A to Z differs. Its keys live on.',
  ].join('\n\n'),
  scope: 'users:write',
  body: v.pipe(v.partial(members), explainedBy(user)),
  events: ['user.updated'],
  response: { kind: 'resource', status: 200, schema: user },
  problems: ['last_admin', 'user_email_taken', 'user_name_taken', 'user_removed'],
  example: { body: { role: 'admin' }, response: { ...exampleColleague, role: 'admin' } },
});
