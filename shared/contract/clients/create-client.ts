import * as v from 'valibot';
import { client, exampleBody, exampleClient, members } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { EXTERNAL_ID_TAKEN } from '#shared/contract/external-id.ts';
import { explained } from '#shared/contract/meaning.ts';

export const createClient = defineEndpoint({
  operationId: 'createClient',
  method: 'POST',
  path: '/clients',
  location: '/clients/{id}',
  area: 'clients',
  summary: 'Create a client',
  description: 'Only the name is required; it need not be unique. Other members default to null.',
  scope: 'clients:write',
  body: explained(client, { ...v.partial(members).entries, name: members.entries.name }),
  bodyTakesAnyNames: true,
  events: ['client.created'],
  response: { kind: 'resource', status: 201, schema: client },
  problems: ['external_id_taken'],
  problemMembers: EXTERNAL_ID_TAKEN,
  example: { body: exampleBody, response: exampleClient },
});
