import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { TEST_DELIVERY_WEIGHT } from '#shared/contract/weight.ts';
import { DELIVERY_FAILURES } from '#shared/domain/events/webhook.ts';
import { webhook } from './webhook.ts';

const outcome = component('TestDelivery', 'What came of it.', {
  delivered: described(v.boolean(), 'Whether the receiver has answered a 2xx within 15 s.'),
  failure: described(v.nullable(v.picklist(DELIVERY_FAILURES)), 'Why it has not.'),
});

export const testWebhook = defineEndpoint({
  operationId: 'testWebhook',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  of: webhook,
  area: 'events',
  summary: 'Send a test event',
  description:
    'An event `webhook.test` with the sequence 0 is sent once, beside all others and also to one that is paused. Neither the status of the webhook nor its position changes. The answer comes within 20 s.',
  scope: 'webhooks:write',
  members: 'none',
  weight: TEST_DELIVERY_WEIGHT,
  waitsForOthers: true,
  response: { kind: 'resource', status: 202, schema: outcome },
  /** Until then the function has answered, whatever it waited for. */
  timeoutSeconds: 20,
  example: { response: { delivered: true, failure: null } },
});
