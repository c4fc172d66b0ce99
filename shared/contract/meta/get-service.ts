import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';

export const getService = defineEndpoint({
  operationId: 'getService',
  method: 'GET',
  path: '/',
  area: 'meta',
  summary: 'Name and version of the service',
  description: 'A browser, which accepts `text/html`, is redirected to the reference.',
  scope: null,
  response: {
    kind: 'resource',
    status: 200,
    schema: component('Service', 'The service, and where to read on.', {
      name: described(v.string(), 'The name of the service.'),
      version: described(v.string(), 'The version of the service.'),
      docs: described(v.string(), 'The path of the reference.'),
      openapi: described(v.string(), 'The path of this document.'),
      health: described(v.string(), 'The path of the health check.'),
    }),
  },
  page: SERVICE.docs,
  example: { response: SERVICE },
});
