import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleEnd, exampleSession, notRunning, session } from '#shared/contract/tracker/timer.ts';

export const discardTimer = defineEndpoint({
  operationId: 'discardTimer',
  method: 'POST',
  path: '/v1/work/tracker/timer/{sessionId}/discard',
  of: session,
  area: 'tracker',
  summary: 'Discard a running timer',
  description: 'Ends the session and books nothing.',
  scope: 'tracker:write',
  members: 'own',
  events: ['timer.discarded'],
  response: { kind: 'resource', status: 200, schema: session },
  problems: ['timer_not_running'],
  problemMembers: notRunning,
  example: { response: { ...exampleSession, ...exampleEnd, status: 'discarded' } },
});
