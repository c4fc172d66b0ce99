import * as v from 'valibot';
import { client, exampleClient, members } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { EXTERNAL_ID_TAKEN } from '#shared/contract/external-id.ts';
import { explainedBy } from '#shared/contract/meaning.ts';

export const updateClient = defineEndpoint({
  operationId: 'updateClient',
  method: 'PATCH',
  path: '/clients/{id}',
  area: 'clients',
  summary: 'Change a client',
  description: 'Only the members that are sent change; null clears one. Invoices keep the values that they copied.',
  scope: 'clients:write',
  body: v.pipe(v.partial(members), explainedBy(client)),
  bodyTakesAnyNames: true,
  events: ['client.updated'],
  response: { kind: 'resource', status: 200, schema: client },
  problems: ['external_id_taken'],
  problemMembers: EXTERNAL_ID_TAKEN,
  example: {
    body: { contact: 'Grace Hopper', phone: null, eInvoiceFormat: 'xrechnung-cii' },
    response: { ...exampleClient, contact: 'Grace Hopper', phone: null, eInvoiceFormat: 'xrechnung-cii' },
  },
});
