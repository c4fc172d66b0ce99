import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { limit, offset } from '#shared/contract/fields.ts';
import { exampleManaged, managedOrganization, status } from '#shared/contract/organization/managed-organization.ts';

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
