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

const updateBody = v.pipe(
  explained(entry, {
    userId: described(
      v.optional(idInput),
      'The user who did the work; a new one must be active. Only an admin may name another user than itself.',
    ),
    description: v.optional(description),
    durationMinutes: v.optional(durationInput),
    billedMinutes,
    entryDate: v.optional(entryDate),
    startTime,
    endTime,
    billable: v.optional(v.boolean()),
    rate: described(v.optional(v.nullable(rateInput)), 'The price of an hour; null: none.'),
    currency: v.optional(currencyInput),
    clientId: v.optional(link),
    projectId: v.optional(link),
    tags: v.optional(tags),
    metadata: v.optional(metadata),
  }),
  together('endTime', 'startTime'),
  together('startTime', 'endTime'),
);

export const updateEntry = defineEndpoint({
  operationId: 'updateEntry',
  method: 'PATCH',
  path: '/v1/work/tracker/entries/{id}',
  area: 'tracker',
  summary: 'Change a work entry',
  description: [
    'Clock times without a duration set the duration to their span. A duration without clock times moves the end. A new date keeps the clock times. The span is of elapsed minutes, of which a change of summer time makes more or fewer. `null` unlinks the client or the project.',
    'Another duration or project, or another `billable`, counts the billed minutes anew unless they are given. Otherwise they stay, whatever became of the rule.',
    'An invoiced entry refuses changes, but for those of `metadata` alone. While a request is putting it on an invoice, the problem is `invoicing_in_progress` with `Retry-After`.',
    'In the closed period of the organization an entry refuses changes likewise, and none moves there: the problem is `period_locked`.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: updateBody,
  bodyTakesAnyNames: true,
  events: ['entry.updated'],
  response: { kind: 'resource', status: 200, schema: entry },
  problems: [
    'reference_not_found',
    'client_mismatch',
    'invalid_time_range',
    'entry_invoiced',
    'invoicing_in_progress',
    'not_yours',
    'period_locked',
  ],
  problemMembers: periodLocked,
  example: {
    body: { durationMinutes: 60 },
    response: {
      ...exampleEntry,
      durationMinutes: 60,
      billedMinutes: 60,
      quantity: '1',
      amount: '120.00',
      endedAt: '2026-11-20T10:00:00.000Z',
    },
  },
});
