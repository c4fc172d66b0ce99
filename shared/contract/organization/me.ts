import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset, timestamp, uuid } from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { defaultCurrency, exampleOrganization } from './organization.ts';
import { exampleUser, ownChanges, user } from './users.ts';

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
  access: { writes: ['directory', 'user'] },
  example: { body: { timeZone: 'Europe/Berlin' }, response: exampleCaller },
});

const membership = v.pipe(
  v.object({
    id: described(uuid, 'The id of the organization, for `Billwright-Organization`.'),
    name: described(v.string(), 'The name of the organization.'),
    userId: described(uuid, 'The user that the caller is there.'),
    role,
  }),
  v.description('An organization that the caller is a user of.'),
  v.title('Membership'),
);

export const listOwnOrganizations = defineEndpoint({
  operationId: 'listOwnOrganizations',
  method: 'GET',
  path: '/v1/me/organizations',
  area: 'organization',
  summary: "List the caller's organizations, newest first",
  description:
    'A person who has signed in belongs to the organizations that have a user for it, by an earlier request or by its verified email. A key has one organization. `Billwright-Organization` is not needed. A person has a rate limit of its own for this, 600 requests a minute, which its users do not share.',
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
    },
  },
});
