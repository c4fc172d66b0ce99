import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import { EXPIRED } from './expired.ts';
import { after, exampleWebhook, members, webhook } from './webhook.ts';

export const updateWebhook = defineEndpoint({
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/v1/webhooks/{id}',
  area: 'events',
  summary: 'Change, pause or replay a webhook',
  description: [
    'Only the members that are sent change. An event that is being sent at this moment may still arrive. Other `types`, another `url` or `after`, and `active` end the waiting for another attempt.',
    'What is sent remains what its maker may read. Who changes `url`, `types` or `after` needs `events:read` too, and the scopes that read what is then sent. One that was paused because its maker lost its rights is paused again within seconds: make it anew.',
    'With `after`, events are sent again, or skipped. An `active` webhook goes on where it stood, as long as events are kept.',
  ].join('\n\n'),
  scope: 'webhooks:write',
  members: 'none',
  body: explained(webhook, {
    ...v.partial(members).entries,
    status: described(v.optional(v.picklist(['active', 'paused'])), 'Whether events are sent.'),
    after: described(
      v.optional(after),
      'Events behind this number are sent next. `latest` is the present end of the feed.',
    ),
  }),
  response: { kind: 'resource', status: 200, schema: webhook },
  problems: ['events_expired', 'invalid_sequence'],
  problemMembers: EXPIRED,
  example: { body: { types: ['invoice.*'] }, response: { ...exampleWebhook, types: ['invoice.*'] } },
});
