import * as v from 'valibot';
import { addressDetails, contactDetails, exampleSeller, taxNumber } from '#shared/contract/details.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currency, limit, nonBlank, offset, text, timestamp, uuid } from '#shared/contract/fields.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { LOCALES } from '#shared/domain/locale.ts';

/** The organization of the key, its users, and who is asking. */

const MEANINGS = {
  name: 'Unique in the service, whatever its case and spaces. Space around it is removed.',
  legalName: 'The name as registered, where it is another.',
  addressLine1: 'Street and number.',
  addressLine2: 'What follows on a line of its own.',
  city: 'Town or city.',
  region: 'State, province or county.',
  postalCode: 'Postal code, as it is written on letters.',
  countryCode: 'ISO 3166-1 alpha-2, in upper case.',
  email: 'Where customers write to.',
  phone: 'Where customers call.',
  website: 'A URL that begins with http:// or https://.',
  taxNumber: 'The number under which the organization pays sales tax or VAT.',
  registrationNumber: 'The number in the register of companies.',
  bankDetails: 'Where customers pay to; may have several lines.',
  paymentTermsDays: 'How many days after its issue an invoice is due.',
  invoiceNotes: 'The notes of an invoice that brings none; may have several lines.',
  locale: 'The language of invoices; null counts as `en`.',
} as const;

/* @__NO_SIDE_EFFECTS__ */
function described<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}

/* @__NO_SIDE_EFFECTS__ */
function told(meaning: string) {
  return described(v.nullable(v.string()), meaning);
}

const id = described(uuid, 'The id of the organization.');
const defaultCurrency = described(
  currency,
  'What products, projects and invoices are in by default. It never changes.',
);
const locale = described(v.nullable(v.picklist(LOCALES)), MEANINGS.locale);

export const organization = v.pipe(
  v.object({
    id,
    name: described(v.string(), MEANINGS.name),
    legalName: told(MEANINGS.legalName),
    addressLine1: told(MEANINGS.addressLine1),
    addressLine2: told(MEANINGS.addressLine2),
    city: told(MEANINGS.city),
    region: told(MEANINGS.region),
    postalCode: told(MEANINGS.postalCode),
    countryCode: told(MEANINGS.countryCode),
    email: told(MEANINGS.email),
    phone: told(MEANINGS.phone),
    website: told(MEANINGS.website),
    taxNumber: told(MEANINGS.taxNumber),
    registrationNumber: told(MEANINGS.registrationNumber),
    bankDetails: told(MEANINGS.bankDetails),
    paymentTermsDays: described(v.nullable(v.pipe(v.number(), v.integer())), MEANINGS.paymentTermsDays),
    invoiceNotes: told(MEANINGS.invoiceNotes),
    locale,
    currency: defaultCurrency,
    createdAt: described(timestamp, 'When the first key of the organization was made.'),
    updatedAt: described(timestamp, 'When something of it was changed last.'),
  }),
  v.title('Organization'),
  tagged(),
);

const updateBody = v.partial(
  v.object({
    name: described(nonBlank(100), MEANINGS.name),
    legalName: described(v.nullable(text(1, 255)), MEANINGS.legalName),
    addressLine1: described(addressDetails.addressLine1, MEANINGS.addressLine1),
    addressLine2: described(addressDetails.addressLine2, MEANINGS.addressLine2),
    city: described(addressDetails.city, MEANINGS.city),
    region: described(addressDetails.region, MEANINGS.region),
    postalCode: described(addressDetails.postalCode, MEANINGS.postalCode),
    countryCode: described(addressDetails.countryCode, 'ISO 3166-1 alpha-2, in any case.'),
    email: described(contactDetails.email, MEANINGS.email),
    phone: described(contactDetails.phone, MEANINGS.phone),
    website: described(contactDetails.website, MEANINGS.website),
    taxNumber: described(taxNumber, MEANINGS.taxNumber),
    registrationNumber: described(v.nullable(text(1, 255)), MEANINGS.registrationNumber),
    bankDetails: described(v.nullable(text(0, 1_000)), MEANINGS.bankDetails),
    paymentTermsDays: described(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365))),
      MEANINGS.paymentTermsDays,
    ),
    invoiceNotes: described(v.nullable(text(0, 2_000)), MEANINGS.invoiceNotes),
    locale,
  }),
);

const user = v.pipe(
  v.object({
    id: described(uuid, 'The id of the user, which entries and timers carry as `userId`.'),
    name: described(v.string(), 'Unique in the organization, whatever its case.'),
    createdAt: described(timestamp, 'When the first key of the user was made.'),
  }),
  v.title('User'),
);

const caller = v.pipe(
  v.object({
    keyId: described(uuid, 'The id of the key that was sent.'),
    keyName: described(v.string(), 'What its maker called the key.'),
    organizationId: described(uuid, 'The organization that the key belongs to.'),
    organizationName: described(v.string(), 'The name that the organization has now.'),
    userId: described(uuid, 'The user that the key belongs to.'),
    userName: described(v.string(), 'The name of the user.'),
    scopes: described(v.array(v.picklist(SCOPES)), 'What the key may do.'),
    rateLimit: described(v.pipe(v.number(), v.integer()), 'Requests a minute.'),
    expiresAt: described(v.nullable(timestamp), 'From when on the key is refused; null: never.'),
    currency: defaultCurrency,
  }),
  v.title('Caller'),
);

const { name, ...registered } = exampleSeller;

const exampleProfile = {
  ...registered,
  paymentTermsDays: 14,
  invoiceNotes: 'Thank you for your trust.',
  locale: 'de',
};

const exampleOrganization = {
  id: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  name,
  ...exampleProfile,
  currency: 'EUR',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T10:15:00.000Z',
};

const exampleUser = {
  id: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  name: 'Ana',
  createdAt: '2026-11-20T09:30:00.000Z',
};

export const getMe = defineEndpoint({
  operationId: 'getMe',
  method: 'GET',
  path: '/v1/me',
  area: 'organization',
  summary: 'Tell who is asking',
  description: 'The key that was sent, its user and its organization, as they are now.',
  scope: 'any',
  response: { kind: 'resource', status: 200, schema: caller },
  access: { table: ['BatchGetItem', 'Query'] },
  example: {
    response: {
      keyId: '019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f',
      keyName: 'Reporting',
      organizationId: exampleOrganization.id,
      organizationName: exampleOrganization.name,
      userId: exampleUser.id,
      userName: exampleUser.name,
      scopes: ['products:read', 'tracker:read'],
      rateLimit: 600,
      expiresAt: '2027-11-20T09:30:00.000Z',
      currency: exampleOrganization.currency,
    },
  },
});

export const listUsers = defineEndpoint({
  operationId: 'listUsers',
  method: 'GET',
  path: '/v1/users',
  area: 'organization',
  summary: "List the organization's users, newest first",
  description: 'Everybody for whom a key was ever made.',
  scope: 'tracker:read',
  query: v.object({ limit: limit(200, 50), offset }),
  response: { kind: 'list', item: user },
  access: { table: ['GetItem', 'Query'] },
  example: { response: exampleUser },
});

export const getOrganization = defineEndpoint({
  operationId: 'getOrganization',
  method: 'GET',
  path: '/v1/organization',
  area: 'organization',
  summary: 'Get the organization',
  description: 'What is null has not been told yet.',
  scope: 'any',
  response: { kind: 'resource', status: 200, schema: organization },
  access: { table: ['GetItem', 'Query'] },
  example: { response: exampleOrganization },
});

export const updateOrganization = defineEndpoint({
  operationId: 'updateOrganization',
  method: 'PATCH',
  path: '/v1/organization',
  area: 'organization',
  summary: 'Change the organization',
  description:
    'Only the members that are sent change; null clears one. With another name, the old one is free for another organization. The currency stays.',
  scope: 'organization:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: organization },
  problems: ['organization_name_taken'],
  access: {
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query'],
    writes: ['organization', 'organizationName'],
  },
  example: { body: exampleProfile, response: exampleOrganization },
});
