import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { webhook } from './webhook.ts';

export const deleteWebhook = defineEndpoint({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  of: webhook,
  area: 'events',
  summary: 'Delete a webhook',
  description: 'Nothing is sent from then on, but for an event that is being sent at this moment.',
  scope: 'webhooks:write',
  members: 'none',
  response: { kind: 'deletion' },
  example: {},
});
