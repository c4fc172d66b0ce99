import { defineEndpoint } from '#shared/contract/endpoint.ts';

export const getDocsAsset = defineEndpoint({
  operationId: 'getDocsAsset',
  method: 'GET',
  path: '/docs/{asset}',
  pathPatterns: { asset: /^[a-z0-9.-]+\.(?:css|js)$/ },
  area: 'meta',
  summary: 'A script or style sheet of the reference page',
  scope: null,
  response: { kind: 'raw', contentTypes: ['text/css', 'text/javascript'], hasTag: true },
  example: {},
});
