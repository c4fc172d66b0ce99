import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';
import { exampleSession, session } from '#shared/contract/tracker/timer.ts';

export const getActiveTimer = defineEndpoint({
  operationId: 'getActiveTimer',
  method: 'GET',
  path: '/v1/work/tracker/timer/active',
  area: 'tracker',
  summary: "Get the caller's running timer, or null",
  description: 'A timer runs until it is stopped or discarded, past midnight and for days.',
  scope: 'tracker:read',
  response: {
    kind: 'resource',
    status: 200,
    schema: described(v.nullable(session), 'The running timer; null if none runs.'),
  },
  example: { response: exampleSession },
});
