import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { exampleWebhook, webhook } from './webhook.ts';

export const listWebhooks = defineEndpoint({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhooks',
  area: 'events',
  summary: 'List webhooks, newest first',
  scope: 'webhooks:read',
  members: 'none',
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: webhook },
  example: { response: exampleWebhook },
});
