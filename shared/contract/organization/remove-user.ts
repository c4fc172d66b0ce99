import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { user } from '#shared/contract/organization/user.ts';

export const removeUser = defineEndpoint({
  operationId: 'removeUser',
  method: 'DELETE',
  path: '/v1/users/{id}',
  of: user,
  area: 'organization',
  summary: 'Remove a user',
  description: [
    'The user has the status `removed` from then on. Its keys and its sign-ins stop working everywhere within 30 seconds, its open invitation ends, and its running timer ends without an entry. Its entries stay, with its id and its name. Its name and its email are free for other users.',
    'Keys that its keys made for other users live on, as if the maker of its keys had made them.',
  ].join('\n\n'),
  scope: 'users:write',
  events: ['user.removed'],
  response: { kind: 'deletion' },
  problems: ['last_admin', 'user_removed'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {},
});
