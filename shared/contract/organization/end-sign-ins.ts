import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { user } from '#shared/contract/organization/user.ts';

export const endSignIns = defineEndpoint({
  operationId: 'endSignIns',
  method: 'DELETE',
  path: '/v1/users/{id}/sign-ins',
  of: user,
  area: 'organization',
  summary: 'End the sign-ins of a user',
  description:
    'People who are linked to the user act for it no more, everywhere within 30 seconds. A person with its verified email may be linked again; anybody else needs an invitation. Its keys live on, and so does its open invitation. The `id` is that of the user.',
  scope: 'users:write',
  events: ['user.updated'],
  response: { kind: 'deletion' },
  example: {},
});
