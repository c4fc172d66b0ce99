import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';

export const getOpenApi = defineEndpoint({
  operationId: 'getOpenApi',
  method: 'GET',
  path: SERVICE.openapi,
  area: 'meta',
  summary: 'This document',
  scope: null,
  response: { kind: 'raw', contentTypes: ['application/json'], hasTag: true },
  example: {},
});
