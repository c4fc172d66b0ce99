import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleManaged, managedOrganization } from '#shared/contract/organization/managed-organization.ts';

export const deleteOrganization = defineEndpoint({
  operationId: 'deleteOrganization',
  method: 'DELETE',
  path: '/v1/organizations/{id}',
  of: managedOrganization,
  area: 'organization',
  summary: 'Delete an organization',
  description:
    'From this moment nobody can sign in, and its name is free; its keys stop working everywhere within 30 seconds. The credential of its provider goes at once, and all else within minutes: until then the organization is `deleting`, after that it does not exist. Nothing brings it back. Invoices and credit notes are erased too, which most laws want kept for years: with a key of the organization, first list them and download each as PDF and, where it was sent as one, as e-invoice.',
  scope: 'organizations:write',
  response: { kind: 'resource', status: 202, schema: managedOrganization },
  example: { response: { ...exampleManaged, status: 'deleting' } },
});
