import { createClient } from '#shared/contract/clients/create-client.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /clients: adds a client to the caller's organization. */
export const handler = implement(createClient, async ({ body, principal, now, newId, answer }) => {
  const client = newClient(body, principal.organizationId, newId(), now);
  await insertClient(client, await answer(client, happening('client.created', client)));
  return client;
});
