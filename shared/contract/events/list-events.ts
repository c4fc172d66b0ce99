import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { event, exampleEvent } from '#shared/contract/events/event.ts';
import { integer, limit } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { EXPIRED } from './expired.ts';
import { WANTED_TYPES } from './webhook.ts';

const LATEST = 'latest';

const isPosition = (text: string): boolean =>
  text === LATEST || (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)));

const after = v.pipe(
  v.string(),
  rule('sequence', `the number of an event, 0 or "${LATEST}"`, { pattern: `^(?:${LATEST}|\\d{1,16})$` }, isPosition),
  v.description(
    `Only events behind this number: the \`next\` of the page before. \`${LATEST}\` is the present end, of which no events come; while \`hasMore\` is true, it lies further on.`,
  ),
  v.examples(['42']),
  v.transform((text) => (text === LATEST ? undefined : Number(text))),
);

const MAX_TYPES = 20;

const WANTED: ReadonlySet<string> = new Set(WANTED_TYPES);

function areTypes(text: string): boolean {
  const types = text.split(',');
  return types.length <= MAX_TYPES && new Set(types).size === types.length && types.every((type) => WANTED.has(type));
}

const types = v.pipe(
  v.string(),
  rule(
    'enum',
    `up to ${MAX_TYPES} different types of events or families of them, with commas between them`,
    {},
    areTypes,
  ),
  v.description(
    `Only events of these types: up to ${MAX_TYPES} with commas between them. \`invoice.*\` stands for all types that begin so.`,
  ),
  v.examples(['invoice.*,payment.created']),
  v.transform((text) => text.split(',')),
);

export const listEvents = defineEndpoint({
  operationId: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  area: 'events',
  summary: 'List what has happened, oldest first',
  description: [
    'Every change of what another endpoint shows leaves one event, but for what changes with time or by consequence, as the types of events say. It is written in the transaction of the change. Events have no values: what a GET of their object answers is as new or newer. All readers see the same events under the same numbers, without gaps and in one order.',
    'Events whose objects the caller may not read are left out, so a page may have fewer than `limit`, or none. Follow `next` until `hasMore` is false.',
    'Events are kept for 90 days. A feed of which nobody has read anything new for seven days is cut: its next reader begins at the present end.',
  ].join('\n\n'),
  scope: 'events:read',
  query: v.object({
    after: v.optional(after, '0'),
    limit: limit(200, 100),
    type: v.optional(types),
  }),
  response: {
    kind: 'bare',
    schema: component('EventPage', 'A page of the feed.', {
      data: described(v.array(event), 'The events, oldest first.'),
      meta: described(
        v.object({
          next: described(integer, 'The `after` of the next request.'),
          hasMore: described(v.boolean(), 'Whether there are events behind `next` by now.'),
          oldest: described(
            integer,
            'The number of the oldest event that is kept, or of the next one if there is none.',
          ),
        }),
        'Where the page ends.',
      ),
    }),
  },
  problems: ['events_expired', 'invalid_sequence'],
  problemMembers: EXPIRED,
  example: { response: { data: [exampleEvent], meta: { next: 42, hasMore: false, oldest: 1 } } },
});
