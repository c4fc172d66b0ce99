import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { exampleStopped, session } from '#shared/contract/tracker/timer.ts';
import { SESSION_STATUSES } from '#shared/domain/tracker/timer.ts';

export const listTimerSessions = defineEndpoint({
  operationId: 'listTimerSessions',
  method: 'GET',
  path: '/v1/work/tracker/timer/sessions',
  area: 'tracker',
  summary: "List the caller's timer sessions, newest first",
  scope: 'tracker:read',
  query: v.object({
    limit: limit(200, 50),
    offset,
    status: described(v.optional(v.picklist(SESSION_STATUSES)), 'Only sessions in this status.'),
  }),
  response: { kind: 'list', item: session },
  problems: ['range_too_large'],
  example: { response: exampleStopped },
});
