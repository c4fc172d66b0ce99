import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { apiKey, exampleApiKey } from '#shared/contract/keys/api-key.ts';

export const listApiKeys = defineEndpoint({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/v1/api-keys',
  area: 'keys',
  summary: "List the organization's API keys, newest first",
  scope: 'keys:read',
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: apiKey },
  example: { response: exampleApiKey },
});
