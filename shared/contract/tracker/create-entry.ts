import * as v from 'valibot';
import { durationInput } from '#shared/contract/duration.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput, idInput, rateInput } from '#shared/contract/fields.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import { metadata } from '#shared/contract/metadata.ts';
import { tags } from '#shared/contract/tags.ts';
import {
  billedMinutes,
  description,
  endTime,
  entry,
  entryDate,
  exampleEntry,
  link,
  periodLocked,
  startTime,
  together,
} from '#shared/contract/tracker/entry.ts';

const createBody = v.pipe(
  explained(entry, {
    userId: described(
      v.optional(idInput),
      'The user who did the work, who must be active; by default the caller. Only an admin may name another user.',
    ),
    description,
    durationMinutes: durationInput,
    billedMinutes,
    entryDate,
    startTime,
    endTime,
    billable: v.optional(v.boolean(), true),
    rate: described(
      v.optional(v.nullable(rateInput)),
      'The price of an hour; by default that of the project, for the user if it has one. Zero is a rate; null: none, whatever the project has.',
    ),
    currency: described(
      v.optional(currencyInput),
      'The currency of the rate; by default that of the project, else of the organization.',
    ),
    clientId: described(v.optional(link), 'The client who is billed; by default that of the project.'),
    projectId: v.optional(link),
    tags: v.optional(tags, []),
    metadata: v.optional(metadata),
  }),
  together('endTime', 'startTime'),
  together('startTime', 'endTime'),
);

const exampleBody = {
  description: 'Kick-off workshop',
  durationMinutes: 90,
  entryDate: '2026-11-20',
  startTime: '09:00',
  endTime: '10:30',
  rate: 120,
  currency: 'USD',
  tags: ['design'],
};

export const createEntry = defineEndpoint({
  operationId: 'createEntry',
  method: 'POST',
  path: '/v1/work/tracker/entries',
  location: '/v1/work/tracker/entries/{id}',
  area: 'tracker',
  summary: 'Create a work entry',
  description: [
    '`rate` and `clientId` default to those of the project, the rate only in the same currency. `currency` defaults to that of the project, else of the organization.',
    'Clock times are those of the zone of the user, else of the organization, else of UTC. They are kept as instants, so that a later change of the zone changes no entry. A time that a change to summer time skips is moved forward by the gap; one that comes twice is the first.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: createBody,
  bodyTakesAnyNames: true,
  events: ['entry.created'],
  response: { kind: 'resource', status: 201, schema: entry },
  problems: ['reference_not_found', 'client_mismatch', 'invalid_time_range', 'not_yours', 'period_locked'],
  problemMembers: periodLocked,
  example: { body: exampleBody, response: exampleEntry },
});
