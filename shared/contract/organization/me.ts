import * as v from 'valibot';
import { integer, timestamp, uuid } from '#shared/contract/fields.ts';
import { component, described, nullableText } from '#shared/contract/meaning.ts';
import { defaultCurrency, exampleOrganization } from '#shared/contract/organization/organization.ts';
import { exampleUser, user } from '#shared/contract/organization/user.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';

const { email, role, timeZone } = user.entries;

export const caller = component('Caller', 'The caller: its API key, its user and its organization.', {
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
  rateLimit: described(integer, 'The number of requests that are allowed per minute.'),
  expiresAt: described(v.nullable(timestamp), 'When the key expires; null: never.'),
  currency: defaultCurrency,
});

export const exampleCaller = {
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
