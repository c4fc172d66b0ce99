import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleUser, user } from '#shared/contract/organization/user.ts';

export const getUser = defineEndpoint({
  operationId: 'getUser',
  method: 'GET',
  path: '/v1/users/{id}',
  area: 'organization',
  summary: 'Get a user',
  scope: 'tracker:read',
  response: { kind: 'resource', status: 200, schema: user },
  example: { response: exampleUser },
});
