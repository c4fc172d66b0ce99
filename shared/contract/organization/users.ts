import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import {
  limit,
  nameText,
  offset,
  searchText,
  text,
  timestamp,
  timeZone,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { isEmail } from '#shared/domain/organization/email.ts';
import { INVITATION_CODE } from '#shared/domain/organization/invitation.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { ROLES } from '#shared/domain/role.ts';

export const user = v.pipe(
  v.object({
    id: described(uuid, 'The id of the user, which entries and timers carry as `userId`.'),
    name: described(v.string(), 'Unique among the active users of the organization, ignoring case.'),
    email: nullableText(
      'Unique among the active users of the organization, ignoring the case of A to Z alone; null without one.',
    ),
    role: described(
      v.picklist(ROLES),
      'An `admin` does all that the scopes of its key allow. A `member` reads all that they allow, and writes only its own entries and timers.',
    ),
    timeZone: nullableText('The zone of its days, as an IANA name; null: that of the organization.'),
    status: described(
      v.picklist(USER_STATUSES),
      'A `removed` user cannot act any more; what it made keeps its id and its name.',
    ),
    signIns: described(
      v.pipe(v.number(), v.integer()),
      'The number of sign-ins that are linked to it, each of one account at the OpenID Connect issuer.',
    ),
    createdAt: described(timestamp, 'When it was made, alone or with its first key.'),
    updatedAt,
  }),
  v.description('A person, or a program, that acts for the organization.'),
  v.title('User'),
  tagged(),
);

export const userEmail = v.nullable(
  v.pipe(
    text(1, 254),
    v.trim(),
    rule('email', 'an e-mail address', { pattern: '\\S@\\S', examples: ['bea@acme.example'] }, isEmail),
  ),
);

const members = v.object({
  name: nameText(100),
  email: userEmail,
  role: v.picklist(ROLES),
  timeZone: v.nullable(timeZone),
});

/** Users change these of themselves. */
export const ownChanges = v.partial(v.pick(members, ['name', 'timeZone']));

const { name, role } = members.entries;

const createBody = v.pipe(
  v.object({
    name,
    email: v.optional(members.entries.email, null),
    role: v.optional(role, 'member'),
    timeZone: v.optional(members.entries.timeZone, null),
  }),
  explainedBy(user),
);

const updateBody = v.pipe(v.partial(members), explainedBy(user));

export const EXAMPLE_CODE = 'inv_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA';

export const exampleUser = {
  id: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  name: 'Ana',
  email: 'ana@acme.example',
  role: 'admin',
  timeZone: 'Europe/Berlin',
  status: 'active',
  signIns: 1,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
} as const;

const exampleColleague = {
  ...exampleUser,
  id: '019aa2f6-2200-7d8b-9c31-7e6f5a4b3c2d',
  name: 'Bea',
  email: 'bea@acme.example',
  role: 'member',
  signIns: 0,
} as const;

export const createUser = defineEndpoint({
  operationId: 'createUser',
  method: 'POST',
  path: '/v1/users',
  area: 'organization',
  summary: 'Add a user',
  description:
    'The user acts by an API key (`POST /v1/api-keys` with `userId`), or by signing in with this email or an invitation. An organization has at most 1,000 active users.',
  scope: 'users:write',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: user },
  problems: ['too_many_users', 'user_email_taken', 'user_name_taken'],
  example: { body: { name: 'Bea', email: 'bea@acme.example', timeZone: 'Europe/Berlin' }, response: exampleColleague },
});

export const listUsers = defineEndpoint({
  operationId: 'listUsers',
  method: 'GET',
  path: '/v1/users',
  area: 'organization',
  summary: "List the organization's users, newest first",
  description: 'Removed ones are among them, unless `status` says otherwise.',
  scope: 'tracker:read',
  query: v.object({
    limit: limit(200, 50),
    offset,
    status: described(v.optional(v.picklist(USER_STATUSES)), 'Only users with this status.'),
    q: v.optional(searchText('Part of the name or the email, in any case.', 0, 255, 'bea')),
  }),
  response: { kind: 'list', item: user },
  problems: ['range_too_large'],
  example: { response: exampleUser },
});

export const getUser = defineEndpoint({
  operationId: 'getUser',
  method: 'GET',
  path: '/v1/users/{id}',
  area: 'organization',
  summary: 'Get a user',
  scope: 'tracker:read',
  response: { kind: 'resource', status: 200, schema: user },
  example: { response: exampleUser },
});

export const updateUser = defineEndpoint({
  operationId: 'updateUser',
  method: 'PATCH',
  path: '/v1/users/{id}',
  area: 'organization',
  summary: 'Change a user',
  description: [
    'Only the members that are sent change. A new role takes effect everywhere within 30 seconds. The last active admin stays one.',
    'Another email ends the sign-ins of the user everywhere within 30 seconds, and its open invitation, unless only the case of A to Z differs. Its keys live on.',
  ].join('\n\n'),
  scope: 'users:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: user },
  problems: ['last_admin', 'user_email_taken', 'user_name_taken', 'user_removed'],
  example: { body: { role: 'admin' }, response: { ...exampleColleague, role: 'admin' } },
});

export const removeUser = defineEndpoint({
  operationId: 'removeUser',
  method: 'DELETE',
  path: '/v1/users/{id}',
  area: 'organization',
  summary: 'Remove a user',
  description: [
    'The user has the status `removed` from then on. Its keys and its sign-ins stop working everywhere within 30 seconds, its open invitation ends, and its running timer ends without an entry. Its entries stay, with its id and its name. Its name and its email are free for other users.',
    'Keys that its keys made for other users live on, as if the maker of its keys had made them.',
  ].join('\n\n'),
  scope: 'users:write',
  response: { kind: 'deletion', of: user },
  problems: ['last_admin', 'user_removed'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: {},
});

export const endSignIns = defineEndpoint({
  operationId: 'endSignIns',
  method: 'DELETE',
  path: '/v1/users/{id}/sign-ins',
  area: 'organization',
  summary: 'End the sign-ins of a user',
  description:
    'People who are linked to the user act for it no more, everywhere within 30 seconds. A person with its verified email may be linked again; anybody else needs an invitation. Its keys live on, and so does its open invitation. The `id` is that of the user.',
  scope: 'users:write',
  response: { kind: 'deletion' },
  example: {},
});

const invitation = v.pipe(
  v.object({
    code: described(
      v.pipe(v.string(), v.regex(INVITATION_CODE)),
      'It links one person who has signed in to the user. It is shown this once and never again.',
    ),
    expiresAt: described(timestamp, 'When the code expires: after 7 days.'),
  }),
  v.description('An invitation to sign in as a user.'),
  v.title('Invitation'),
);

export const createInvitation = defineEndpoint({
  operationId: 'createInvitation',
  method: 'POST',
  path: '/v1/users/{id}/invitations',
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
