import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { entry, exampleEntry } from '#shared/contract/tracker/entry.ts';

export const getEntry = defineEndpoint({
  operationId: 'getEntry',
  method: 'GET',
  path: '/v1/work/tracker/entries/{id}',
  area: 'tracker',
  summary: 'Get a work entry',
  scope: 'tracker:read',
  response: { kind: 'resource', status: 200, schema: entry },
  example: { response: exampleEntry },
});
