import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { timestamp } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { EXAMPLE_CODE, user } from '#shared/contract/organization/user.ts';
import { INVITATION_CODE } from '#shared/domain/organization/invitation.ts';

const invitation = component('Invitation', 'An invitation to sign in as a user.', {
  code: described(
    v.pipe(v.string(), v.regex(INVITATION_CODE)),
    'It links one person who has signed in to the user. It is shown this once and never again.',
  ),
  expiresAt: described(timestamp, 'When the code expires: after 7 days.'),
});

export const createInvitation = defineEndpoint({
  operationId: 'createInvitation',
  method: 'POST',
  path: '/v1/users/{id}/invitations',
  of: user,
  area: 'organization',
  summary: 'Invite somebody to sign in as a user',
  description:
    'For people whose issuer says nothing of verified emails. Give the code to the person, who sends it with its token to `POST /v1/me/link`. A new invitation replaces the last one of the user. It ends with the user, and when its email changes.',
  scope: 'users:write',
  idempotencyKey: false,
  response: { kind: 'resource', status: 201, schema: invitation },
  problems: ['user_removed'],
  example: { response: { code: EXAMPLE_CODE, expiresAt: '2026-11-27T09:30:00.000Z' } },
});
