import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { LOGO_PATH } from '#shared/contract/organization/logo.ts';
import { exampleOrganization } from '#shared/contract/organization/organization.ts';

export const deleteLogo = defineEndpoint({
  operationId: 'deleteLogo',
  method: 'DELETE',
  path: LOGO_PATH,
  area: 'organization',
  summary: 'Remove the logo',
  description: 'Documents that were sent keep it. The answer has the id of the organization.',
  scope: 'organization:write',
  events: ['organization.updated'],
  response: { kind: 'deletion' },
  problems: ['not_found'],
  example: { response: exampleOrganization.id },
});
