import * as v from 'valibot';
import { client, details, exampleBody, exampleClient, name } from '#shared/contract/clients/client.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { explainedBy } from '#shared/contract/meaning.ts';

const createBody = v.pipe(v.object({ name, ...v.partial(details).entries }), explainedBy(client));

export const createClient = defineEndpoint({
  operationId: 'createClient',
  method: 'POST',
  path: '/clients',
  area: 'clients',
  summary: 'Create a client',
  description: 'Only the name is required; it need not be unique. Other members default to null.',
  scope: 'clients:write',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: client },
  example: { body: exampleBody, response: exampleClient },
});
