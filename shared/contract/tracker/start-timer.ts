import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { rateInput } from '#shared/contract/fields.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import { tags } from '#shared/contract/tags.ts';
import { link } from '#shared/contract/tracker/entry.ts';
import { description, exampleSession, session } from '#shared/contract/tracker/timer.ts';

const startBody = explained(session, {
  description: v.optional(description, ''),
  clientId: described(v.optional(link), 'The client who is billed; by default that of the project.'),
  projectId: v.optional(link),
  billable: described(
    v.optional(v.boolean()),
    'Whether the work is to be billed; by default as the project says, which is `false` unless it was set there.',
  ),
  rate: described(
    v.optional(v.nullable(rateInput)),
    'The price of an hour; by default that of the project, for the user if it has one. Zero is a rate; null: none, whatever the project has.',
  ),
  tags: v.optional(tags, []),
});

const alreadyRunning = {
  timer_already_running: {
    session: { schema: described(session, 'The timer that runs already.'), example: exampleSession },
  },
};

export const startTimer = defineEndpoint({
  operationId: 'startTimer',
  method: 'POST',
  path: '/v1/work/tracker/timer/start',
  area: 'tracker',
  summary: 'Start a timer',
  description: [
    'A user has at most one running timer in an organization. If one runs, the problem is `timer_already_running`, with that timer as `session`.',
    'The client, the rate, the currency and whether the time is billable come from the project by default. A rate of 0 is a rate. Time without a project is billable by default, in the currency of the organization. No invoice bills time that is not billable or has no rate: a project is not billable unless it was made so.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: startBody,
  bodyOptional: true,
  events: ['timer.started'],
  response: { kind: 'resource', status: 201, schema: session },
  problems: ['reference_not_found', 'client_mismatch', 'timer_already_running'],
  problemMembers: alreadyRunning,
  example: { body: { description: 'Kick-off workshop', rate: 120, tags: ['design'] }, response: exampleSession },
});
