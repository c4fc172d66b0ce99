import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';

export const getDocs = defineEndpoint({
  operationId: 'getDocs',
  method: 'GET',
  path: SERVICE.docs,
  area: 'meta',
  summary: 'The reference as an interactive page',
  scope: null,
  response: { kind: 'raw', contentTypes: ['text/html'], hasTag: true },
  example: {},
});
