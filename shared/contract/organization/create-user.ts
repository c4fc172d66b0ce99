import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { explained } from '#shared/contract/meaning.ts';
import { exampleColleague, members, user } from '#shared/contract/organization/user.ts';

const { name, role } = members.entries;

const createBody = explained(user, {
  name,
  email: v.optional(members.entries.email, null),
  role: v.optional(role, 'member'),
  timeZone: v.optional(members.entries.timeZone, null),
});

export const createUser = defineEndpoint({
  operationId: 'createUser',
  method: 'POST',
  path: '/v1/users',
  location: '/v1/users/{id}',
  area: 'organization',
  summary: 'Add a user',
  description:
    'The user acts by an API key (`POST /v1/api-keys` with `userId`), or by signing in with this email or an invitation. An organization has at most 1,000 active users.',
  scope: 'users:write',
  body: createBody,
  events: ['user.created'],
  response: { kind: 'resource', status: 201, schema: user },
  problems: ['too_many_users', 'user_email_taken', 'user_name_taken'],
  example: { body: { name: 'Bea', email: 'bea@acme.example', timeZone: 'Europe/Berlin' }, response: exampleColleague },
});
