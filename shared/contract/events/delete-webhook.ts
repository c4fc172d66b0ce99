import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { webhook } from './webhook.ts';

export const deleteWebhook = defineEndpoint({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  area: 'events',
  summary: 'Delete a webhook',
  description: 'Nothing is sent from then on, but for an event that is being sent at this moment.',
  scope: 'webhooks:write',
  members: 'none',
  response: { kind: 'deletion', of: webhook },
  example: {},
});
