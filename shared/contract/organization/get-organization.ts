import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleOrganization, organization } from '#shared/contract/organization/organization.ts';

export const getOrganization = defineEndpoint({
  operationId: 'getOrganization',
  method: 'GET',
  path: '/v1/organization',
  area: 'organization',
  summary: 'Get the organization',
  description: 'Members that were never set are null.',
  scope: 'any',
  response: { kind: 'resource', status: 200, schema: organization },
  example: { response: exampleOrganization },
});
