import { updateClient } from '#shared/contract/clients/clients.ts';
import { changeClient, readClient } from '#shared/data/clients/clients.ts';
import { reviseClient } from '#shared/domain/clients/client.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /clients/{id}: changes the members that are sent and no others. */
export const handler = implement(updateClient, {
  load: ({ params, principal }) => readClient(principal.organizationId, params.id),
  run: ({ resource, body, now }) => changeClient(resource, (client) => reviseClient(client, body, now)),
});
