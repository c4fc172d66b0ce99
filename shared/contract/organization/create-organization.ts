import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput, nameText, timeZone } from '#shared/contract/fields.ts';
import { component, described, explained } from '#shared/contract/meaning.ts';
import { exampleManaged, managed } from '#shared/contract/organization/managed-organization.ts';
import { exampleUser, user, userEmail } from '#shared/contract/organization/user.ts';
import { NEW_KEY_WEIGHT } from '#shared/contract/weight.ts';
import { NO_PROFILE } from '#shared/domain/organization/organization.ts';

const newOrganization = component('NewOrganization', 'A new organization, with its first user and a key.', {
  ...managed,
  owner: user,
  apiKey: described(v.string(), 'A key of the owner with every scope. Only this response has it.'),
});

const owner = v.pipe(
  explained(user, { name: nameText(100), email: v.optional(userEmail, null) }),
  v.description('The first user, an admin.'),
);

const createBody = explained(newOrganization, {
  name: nameText(100),
  currency: v.optional(currencyInput, 'USD'),
  timeZone: v.optional(v.nullable(timeZone), null),
  owner,
});

const exampleNew = { ...exampleManaged, ...NO_PROFILE, timeZone: 'Europe/Berlin', updatedAt: exampleManaged.createdAt };

export const createOrganization = defineEndpoint({
  operationId: 'createOrganization',
  method: 'POST',
  path: '/v1/organizations',
  location: '/v1/organizations/{id}',
  area: 'organization',
  summary: 'Create an organization',
  description: 'It begins with one user, an admin, whose key does the rest.',
  scope: 'organizations:write',
  weight: NEW_KEY_WEIGHT,
  idempotencyKey: false,
  body: createBody,
  events: ['user.created', 'api_key.created'],
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
