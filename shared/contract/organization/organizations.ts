import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput, limit, nameText, offset, timeZone } from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { ORGANIZATION_STATUSES } from '#shared/domain/organization/deletion.ts';
import { NO_PROFILE } from '#shared/domain/organization/organization.ts';
import { exampleOrganization, organization } from './organization.ts';
import { exampleUser, user, userEmail } from './users.ts';

/** Organizations as the platform sees them that offers the service to them. */

const status = described(
  v.picklist(ORGANIZATION_STATUSES),
  'Nobody acts for an organization that is `deleting`, and its name is free; it is gone once all that it has is removed.',
);

const managed = { ...organization.entries, status };

const managedOrganization = v.pipe(
  v.object(managed),
  v.description('An organization, and whether it is being deleted.'),
  v.title('ManagedOrganization'),
  tagged(),
);

const newOrganization = v.pipe(
  v.object({
    ...managed,
    owner: user,
    apiKey: described(v.string(), 'A key of the owner with every scope. Only this response has it.'),
  }),
  v.description('A new organization, with its first user and a key.'),
  v.title('NewOrganization'),
);

const owner = v.pipe(
  v.object({ name: nameText(100), email: v.optional(userEmail, null) }),
  explainedBy(user),
  v.description('The first user, an admin.'),
);

const createBody = v.pipe(
  v.object({
    name: nameText(100),
    currency: v.optional(currencyInput, 'USD'),
    timeZone: v.optional(v.nullable(timeZone), null),
    owner,
  }),
  explainedBy(newOrganization),
);

const exampleManaged = { ...exampleOrganization, status: 'active' } as const;

const exampleNew = { ...exampleManaged, ...NO_PROFILE, timeZone: 'Europe/Berlin', updatedAt: exampleManaged.createdAt };

export const createOrganization = defineEndpoint({
  operationId: 'createOrganization',
  method: 'POST',
  path: '/v1/organizations',
  area: 'organization',
  summary: 'Create an organization',
  description: 'It begins with one user, an admin, whose key does the rest.',
  scope: 'organizations:write',
  weight: NEW_KEY_WEIGHT,
  idempotencyKey: false,
  body: createBody,
  response: { kind: 'resource', status: 201, schema: newOrganization },
  problems: ['organization_name_taken'],
  example: {
    body: {
      name: exampleNew.name,
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
      owner: { name: 'Ana', email: exampleUser.email },
    },
    response: {
      ...exampleNew,
      owner: { ...exampleUser, timeZone: null },
      apiKey: 'bw_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL-0000',
    },
  },
});

export const listOrganizations = defineEndpoint({
  operationId: 'listOrganizations',
  method: 'GET',
  path: '/v1/organizations',
  area: 'organization',
  summary: 'List all organizations, newest first',
  scope: 'organizations:read',
  query: v.object({
    status: v.optional(v.pipe(status, v.description('Only organizations of this status.'))),
    limit: limit(200, 50),
    offset,
  }),
  response: { kind: 'list', item: managedOrganization },
  problems: ['range_too_large'],
  example: { response: exampleManaged },
});

export const getOrganizationById = defineEndpoint({
  operationId: 'getOrganizationById',
  method: 'GET',
  path: '/v1/organizations/{id}',
  area: 'organization',
  summary: 'Get an organization by its id',
  scope: 'organizations:read',
  response: { kind: 'resource', status: 200, schema: managedOrganization },
  example: { response: exampleManaged },
});

export const deleteOrganization = defineEndpoint({
  operationId: 'deleteOrganization',
  method: 'DELETE',
  path: '/v1/organizations/{id}',
  area: 'organization',
  summary: 'Delete an organization',
  description:
    'From this moment nobody can sign in, and its name is free; its keys stop working everywhere within 30 seconds. The credential of its provider goes at once, and all else within minutes: until then the organization is `deleting`, after that it does not exist. Nothing brings it back. Invoices and credit notes are erased too, which most laws want kept for years: with a key of the organization, first list them and download each as PDF and, where it was sent as one, as e-invoice.',
  scope: 'organizations:write',
  response: { kind: 'resource', status: 202, schema: managedOrganization },
  example: { response: { ...exampleManaged, status: 'deleting' } },
});
