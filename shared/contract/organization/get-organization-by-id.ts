import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleManaged, managedOrganization } from '#shared/contract/organization/managed-organization.ts';

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
