import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { rateInput } from '#shared/contract/fields.ts';
import { component, described, explained } from '#shared/contract/meaning.ts';
import {
  booked,
  description,
  ended,
  exampleStopped,
  exampleWorkEntry,
  lockedStop,
  minutes,
  notRunning,
  session,
} from '#shared/contract/tracker/timer.ts';

const stopBody = explained(session, {
  description: v.optional(description),
  billable: v.optional(v.boolean()),
  rate: v.optional(v.nullable(rateInput)),
  createWorkEntry: described(v.optional(v.boolean(), true), 'False stops the timer without booking its time.'),
});

export const stopTimer = defineEndpoint({
  operationId: 'stopTimer',
  method: 'POST',
  path: '/v1/work/tracker/timer/{sessionId}/stop',
  of: session,
  area: 'tracker',
  summary: 'Stop a running timer and book its time',
  description: [
    'The body replaces values of the start. A started minute counts as a whole one. A timer that ran for more than a year counts 525,600 minutes, the maximum of an entry.',
    'The entry is on the date of the start in the zone of the user, else of the organization, else in UTC. Its description defaults to the name of the project, else to `Tracked time`. Links to a project or client deleted meanwhile are dropped; the name of the client stays as the label. The tags of the timer are those of the entry.',
    'One of several concurrent stops makes the entry. The others answer `timer_not_running` with the session and the entry.',
    'If the date of the entry is in the closed period of the organization, the problem is `period_locked` with the session, which runs on: stop it without an entry, discard it, or change its start.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: stopBody,
  bodyOptional: true,
  events: ['timer.stopped', 'entry.created'],
  response: {
    kind: 'resource',
    status: 200,
    schema: component('StoppedTimer', 'The result of stopping a timer.', {
      session: ended,
      workEntry: booked,
      durationMinutes: described(minutes, 'Whole minutes that the timer ran, a started one included.'),
    }),
  },
  problems: ['timer_not_running', 'period_locked'],
  problemMembers: { ...notRunning, ...lockedStop },
  example: {
    body: { description: 'Kick-off workshop', billable: true },
    response: { session: exampleStopped, workEntry: exampleWorkEntry, durationMinutes: 90 },
  },
});
