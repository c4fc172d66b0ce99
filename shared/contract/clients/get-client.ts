import { client, exampleClient } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';

export const getClient = defineEndpoint({
  operationId: 'getClient',
  method: 'GET',
  path: '/clients/{id}',
  area: 'clients',
  summary: 'Get a client',
  scope: 'clients:read',
  response: { kind: 'resource', status: 200, schema: client },
  example: { response: exampleClient },
});
