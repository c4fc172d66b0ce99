import { client } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';

export const deleteClient = defineEndpoint({
  operationId: 'deleteClient',
  method: 'DELETE',
  path: '/clients/{id}',
  of: client,
  area: 'clients',
  summary: 'Delete a client',
  description:
    'Its projects and entries stay, without a client; entries keep its name as their label. Links to it vanish at once. Invoices are unaffected.',
  scope: 'clients:write',
  events: ['client.deleted'],
  response: { kind: 'deletion' },
  example: {},
});
