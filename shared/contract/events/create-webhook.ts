import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { component, described, explained } from '#shared/contract/meaning.ts';
import { EXPIRED } from './expired.ts';
import { after, exampleSecret, exampleWebhook, members, secret, webhook } from './webhook.ts';

const { url, types, description } = members.entries;

export const createWebhook = defineEndpoint({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/v1/webhooks',
  location: '/v1/webhooks/{id}',
  area: 'events',
  summary: 'Have events sent to a URL',
  description: [
    'Each event of the feed is sent as a POST of its own, in their order, one at a time, and signed as [Standard Webhooks](https://www.standardwebhooks.com) says. The body is the event as the feed has it. A 2xx within 15 s is a success. After anything else the same event is sent again after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, a tenth more or less; then, or after a 410, the webhook is disabled. The first of these comes within seconds of `nextAttemptAt`, the others within about a minute. An event may come more than once, with the same `webhook-id`.',
    'What is sent is what the maker of the webhook may read: it needs `events:read`. Once the maker is no admin any more, or its key is revoked or has expired, nothing more is sent, and the webhook is `paused` within about five minutes, a `failing` one at its next attempt.',
    'An organization has at most 10 webhooks.',
  ].join('\n\n'),
  scope: 'webhooks:write',
  members: 'none',
  idempotencyKey: false,
  body: explained(webhook, {
    url,
    types: described(
      v.optional(types),
      'The types of the events that are sent. `invoice.*` stands for all types that begin so. By default all that you may read.',
    ),
    description: v.optional(description),
    after: described(
      v.optional(after, 'latest'),
      'Events behind this number are sent. `latest` is the present end of the feed.',
    ),
  }),
  response: {
    kind: 'resource',
    status: 201,
    schema: component('IssuedWebhook', 'A new webhook, with its secret.', { ...webhook.entries, secret }),
  },
  problems: ['events_expired', 'invalid_sequence', 'too_many_webhooks'],
  problemMembers: EXPIRED,
  example: {
    body: { url: exampleWebhook.url, types: exampleWebhook.types, description: exampleWebhook.description },
    response: { ...exampleWebhook, lastSuccessAt: null, secret: exampleSecret },
  },
});
