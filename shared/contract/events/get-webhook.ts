import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleWebhook, webhook } from './webhook.ts';

export const getWebhook = defineEndpoint({
  operationId: 'getWebhook',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  area: 'events',
  summary: 'Get a webhook',
  scope: 'webhooks:read',
  members: 'none',
  response: { kind: 'resource', status: 200, schema: webhook },
  example: { response: exampleWebhook },
});
