import * as v from 'valibot';
import { client, details, exampleClient, name } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { explainedBy } from '#shared/contract/meaning.ts';

const updateBody = v.pipe(v.partial(v.object({ name, ...details.entries })), explainedBy(client));

export const updateClient = defineEndpoint({
  operationId: 'updateClient',
  method: 'PATCH',
  path: '/clients/{id}',
  area: 'clients',
  summary: 'Change a client',
  description: 'Only the members that are sent change; null clears one. Invoices keep the values that they copied.',
  scope: 'clients:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: client },
  example: {
    body: { contact: 'Grace Hopper', phone: null, eInvoiceFormat: 'xrechnung-cii' },
    response: { ...exampleClient, contact: 'Grace Hopper', phone: null, eInvoiceFormat: 'xrechnung-cii' },
  },
});
