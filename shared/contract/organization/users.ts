import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset, timestamp, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { ROLES } from '#shared/domain/role.ts';

export const user = v.pipe(
  v.object({
    id: described(uuid, 'The id of the user, which entries and timers carry as `userId`.'),
    name: described(v.string(), 'Unique among the active users of the organization, ignoring case.'),
    email: nullableText('Unique among the active users of the organization, ignoring case; null without one.'),
    role: described(
      v.picklist(ROLES),
      'An `admin` does all that the scopes of its key allow. A `member` reads all that they allow, and writes only its own entries and timers.',
    ),
    timeZone: nullableText('The zone of its days, as an IANA name; null: that of the organization.'),
    status: described(
      v.picklist(USER_STATUSES),
      'A `removed` user cannot act any more; what it made keeps its id and its name.',
    ),
    createdAt: described(timestamp, 'When it was made, alone or with its first key.'),
    updatedAt,
  }),
  v.description('A person, or a program, that acts for the organization.'),
  v.title('User'),
  tagged(),
);

export const exampleUser = {
  id: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  name: 'Ana',
  email: 'ana@acme.example',
  role: 'admin',
  timeZone: 'Europe/Berlin',
  status: 'active',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
} as const;

export const listUsers = defineEndpoint({
  operationId: 'listUsers',
  method: 'GET',
  path: '/v1/users',
  area: 'organization',
  summary: "List the organization's users, newest first",
  scope: 'tracker:read',
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: user },
  example: { response: exampleUser },
});
