import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset, timestamp, uuid } from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { CODE_WEIGHT } from '#shared/contract/weight.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { INVITATION_CODE } from '#shared/domain/organization/invitation.ts';
import { defaultCurrency, exampleOrganization } from './organization.ts';
import { EXAMPLE_CODE, exampleUser, ownChanges, user } from './users.ts';

const { email, role, timeZone } = user.entries;

const caller = v.pipe(
  v.object({
    keyId: described(v.nullable(uuid), 'The id of the key that was sent; null for a person who signed in.'),
    keyName: nullableText('The name given by its maker; null for a person who signed in.'),
    organizationId: described(uuid, 'The organization that the caller belongs to.'),
    organizationName: described(v.string(), 'The current name of the organization.'),
    organizationTimeZone: nullableText('The zone of its days, as an IANA name; null counts as UTC.'),
    userId: described(uuid, 'The user that acts.'),
    userName: described(v.string(), 'The name of the user.'),
    email,
    role,
    timeZone,
    scopes: described(v.array(v.picklist(SCOPES)), 'The scopes that the caller holds.'),
    rateLimit: described(v.pipe(v.number(), v.integer()), 'The number of requests that are allowed per minute.'),
    expiresAt: described(v.nullable(timestamp), 'When the key expires; null: never.'),
    currency: defaultCurrency,
  }),
  v.description('The caller: its API key, its user and its organization.'),
  v.title('Caller'),
  tagged(),
);

const exampleCaller = {
  keyId: '019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f',
  keyName: 'Reporting',
  organizationId: exampleOrganization.id,
  organizationName: exampleOrganization.name,
  organizationTimeZone: exampleOrganization.timeZone,
  userId: exampleUser.id,
  userName: exampleUser.name,
  email: exampleUser.email,
  role: exampleUser.role,
  timeZone: exampleUser.timeZone,
  scopes: ['products:read', 'tracker:read'],
  rateLimit: 600,
  expiresAt: '2027-11-20T09:30:00.000Z',
  currency: exampleOrganization.currency,
};

export const getMe = defineEndpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/v1/me',
  area: 'organization',
  summary: 'Get the caller',
  description: 'The key that was sent, its user and its organization, as they are now.',
  scope: 'any',
  response: { kind: 'resource', status: 200, schema: caller },
  example: { response: exampleCaller },
});

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
  response: { kind: 'resource', status: 200, schema: caller },
  problems: ['user_name_taken'],
  example: { body: { timeZone: 'Europe/Berlin' }, response: exampleCaller },
});

const membership = v.pipe(
  v.object({
    id: described(uuid, 'The id of the organization, for `Billwright-Organization`.'),
    name: described(v.string(), 'The name of the organization.'),
    userId: described(uuid, 'The user that the caller is there, or would be.'),
    role,
    linked: described(
      v.boolean(),
      'Whether the caller is that user already. If not, the first request that names the organization links it. True for a key.',
    ),
  }),
  v.description('An organization that the caller is a user of, or that has a user for it.'),
  v.title('Membership'),
);

export const listOwnOrganizations = defineEndpoint({
  operationId: 'listOwnOrganizations',
  method: 'GET',
  path: '/v1/me/organizations',
  area: 'organization',
  summary: "List the caller's organizations, newest first",
  description:
    'A front end begins with this. A person who has signed in finds the organizations that it is linked to, and those that have a user with its verified email: whichever of these a request names as `Billwright-Organization`, is linked from then on. A key has one organization. A person has a rate limit of its own for this, 600 requests a minute, which its users do not share.',
  scope: 'any',
  takesAnyPerson: true,
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: membership },
  example: {
    response: {
      id: exampleOrganization.id,
      name: exampleOrganization.name,
      userId: exampleUser.id,
      role: exampleUser.role,
      linked: true,
    },
  },
});

const code = v.pipe(
  v.string(),
  rule(
    'invitation_code',
    'inv_ and 43 characters of A to Z, a to z, 0 to 9, - and _',
    { pattern: INVITATION_CODE.source },
    (sent: string) => INVITATION_CODE.test(sent),
  ),
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
  response: { kind: 'resource', status: 200, schema: caller },
  problems: ['already_linked', 'invitation_invalid'],
  example: {
    body: { code: EXAMPLE_CODE },
    response: { ...exampleCaller, keyId: null, keyName: null, scopes: SCOPES, expiresAt: null },
  },
});
