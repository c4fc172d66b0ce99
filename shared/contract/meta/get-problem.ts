import { defineEndpoint } from '#shared/contract/endpoint.ts';

export const getProblem = defineEndpoint({
  operationId: 'getProblem',
  method: 'GET',
  path: '/problems/{code}',
  pathPatterns: { code: /^[a-z_]{1,64}$/ },
  area: 'meta',
  summary: 'A page about a problem and its remedy',
  description: 'The `type` of every problem leads here.',
  scope: null,
  response: { kind: 'raw', contentTypes: ['text/html'], hasTag: true },
  example: {},
});
