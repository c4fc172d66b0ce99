import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { integerFrom } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { exampleSecret, exampleWebhook, secret, webhook } from './webhook.ts';

const HOURS = { min: 0, max: 72, usual: 24 };

export const rotateWebhookSecret = defineEndpoint({
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  of: webhook,
  area: 'events',
  summary: 'Give a webhook another secret',
  description:
    'Until the grace is over, deliveries have two signatures: a receiver may know either secret. A third secret ends the first at once.',
  scope: 'webhooks:write',
  members: 'none',
  idempotencyKey: false,
  bodyOptional: true,
  body: v.object({
    graceHours: described(
      v.optional(integerFrom(HOURS.min, HOURS.max), HOURS.usual),
      'For how many hours the present secret signs too.',
    ),
  }),
  response: {
    kind: 'resource',
    status: 200,
    schema: component('RotatedWebhook', 'A webhook, with its new secret.', { ...webhook.entries, secret }),
  },
  example: { body: { graceHours: HOURS.usual }, response: { ...exampleWebhook, secret: exampleSecret } },
});
