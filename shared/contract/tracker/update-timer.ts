import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { instantInput, rateInput } from '#shared/contract/fields.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import { tags } from '#shared/contract/tags.ts';
import { link } from '#shared/contract/tracker/entry.ts';
import { description, exampleSession, notRunning, session } from '#shared/contract/tracker/timer.ts';

const updateBody = explained(session, {
  description: v.optional(description),
  clientId: described(
    v.optional(link),
    'The client who is billed; null: nobody yet. With another `projectId`, by default that of the project.',
  ),
  projectId: v.optional(link),
  billable: v.optional(v.boolean()),
  rate: described(v.optional(v.nullable(rateInput)), 'The price of an hour; null: none.'),
  tags: v.optional(tags),
  startedAt: described(
    v.optional(instantInput),
    'When the work began, with an offset from UTC: at most 31 days ago, and not in the future. The clock of a caller may be a minute ahead.',
  ),
});

export const updateTimer = defineEndpoint({
  operationId: 'updateTimer',
  method: 'PATCH',
  path: '/v1/work/tracker/timer/{sessionId}',
  area: 'tracker',
  summary: 'Change a running timer',
  description: [
    'Another project brings its client, or none if it has none, its rate and currency, and whether its time is billable, unless they are sent. `null` unlinks the client or the project, and leaves the rest as it is.',
    'A timer that was stopped or discarded, by another tab too, answers `timer_not_running`.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: updateBody,
  events: ['timer.updated'],
  response: { kind: 'resource', status: 200, schema: session },
  problems: ['invalid_time_range', 'reference_not_found', 'client_mismatch', 'timer_not_running'],
  problemMembers: notRunning,
  example: {
    body: { startedAt: '2026-11-20T09:45:00+01:00' },
    response: { ...exampleSession, startedAt: '2026-11-20T08:45:00.000Z', updatedAt: '2026-11-20T09:10:00.000Z' },
  },
});
