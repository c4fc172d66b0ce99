import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described } from '#shared/contract/meaning.ts';
import { caller, exampleCaller } from '#shared/contract/organization/me.ts';
import { EXAMPLE_CODE } from '#shared/contract/organization/user.ts';
import { matching } from '#shared/contract/rule.ts';
import { CODE_WEIGHT } from '#shared/contract/weight.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { INVITATION_CODE } from '#shared/domain/organization/invitation.ts';

const code = v.pipe(
  v.string(),
  matching('invitation_code', 'inv_ and 43 characters of A to Z, a to z, 0 to 9, - and _', INVITATION_CODE),
);

export const linkMe = defineEndpoint({
  operationId: 'linkMe',
  method: 'POST',
  path: '/v1/me/link',
  area: 'organization',
  summary: 'Accept an invitation',
  description:
    'Links the person who has signed in to the user that was invited, whatever its email is. The code names the organization, and works once. The answer is that of `GET /v1/me` as this user.',
  scope: 'any',
  members: 'own',
  takesAnyPerson: true,
  takesKeys: false,
  weight: CODE_WEIGHT,
  idempotencyKey: false,
  body: v.object({ code: described(code, 'The code that an admin has got by inviting the user.') }),
  events: ['user.updated'],
  response: { kind: 'resource', status: 200, schema: caller },
  problems: ['already_linked', 'invitation_invalid'],
  example: {
    body: { code: EXAMPLE_CODE },
    response: { ...exampleCaller, keyId: null, keyName: null, scopes: SCOPES, expiresAt: null },
  },
});
