import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { explainedBy } from '#shared/contract/meaning.ts';
import { caller, exampleCaller } from '#shared/contract/organization/me.ts';
import { ownChanges, user } from '#shared/contract/organization/user.ts';

export const updateMe = defineEndpoint({
  operationId: 'updateMe',
  method: 'PATCH',
  path: '/v1/me',
  area: 'organization',
  summary: "Change the caller's own user",
  description: 'Only the members that are sent change.',
  scope: 'any',
  members: 'own',
  body: v.pipe(ownChanges, explainedBy(user)),
  events: ['user.updated'],
  response: { kind: 'resource', status: 200, schema: caller },
  problems: ['user_name_taken'],
  example: { body: { timeZone: 'Europe/Berlin' }, response: exampleCaller },
});
