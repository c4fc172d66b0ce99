import * as v from 'valibot';
import { integer, nameText, text, timestamp, timeZone, updatedAt, uuid } from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { resource } from '#shared/contract/tagged.ts';
import { isEmail } from '#shared/domain/organization/email.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { ROLES } from '#shared/domain/role.ts';

export const user = resource('User', 'A person, or a program, that acts for the organization.', {
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
    integer,
    'The number of sign-ins that are linked to it, each of one account at the OpenID Connect issuer.',
  ),
  createdAt: described(timestamp, 'When it was made, alone or with its first key.'),
  updatedAt,
});

export const userEmail = v.nullable(
  v.pipe(
    text(1, 254),
    v.trim(),
    rule('email', 'an e-mail address', { pattern: '\\S@\\S', examples: ['bea@acme.example'] }, isEmail),
  ),
);

export const members = v.object({
  name: nameText(100),
  email: userEmail,
  role: v.picklist(ROLES),
  timeZone: v.nullable(timeZone),
});

/** Users change these of themselves. */
export const ownChanges = v.partial(v.pick(members, ['name', 'timeZone']));

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

export const exampleColleague = {
  ...exampleUser,
  id: '019aa2f6-2200-7d8b-9c31-7e6f5a4b3c2d',
  name: 'Bea',
  email: 'bea@acme.example',
  role: 'member',
  signIns: 0,
} as const;
