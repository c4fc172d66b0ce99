import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { caller, exampleCaller } from '#shared/contract/organization/me.ts';

export const getMe = defineEndpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/v1/me',
  area: 'organization',
  summary: 'Get the caller',
  description: 'The key that was sent, its user and its organization, as they are now.',
  scope: 'any',
  response: { kind: 'resource', status: 200, schema: caller },
  example: { response: exampleCaller },
});
