import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { tagged } from '#shared/contract/tagged.ts';
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
    schema: v.pipe(v.nullable(session), v.description('The running timer; null if none runs.'), tagged()),
  },
  example: { response: exampleSession },
});
