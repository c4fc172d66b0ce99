import { deleteClient } from '#shared/contract/clients/delete-client.ts';
import { readClient, removeClient } from '#shared/data/clients/clients.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /clients/{id}: removes a client. Links to it vanish at once; entries keep its name as their label. */
export const handler = implement(deleteClient, {
  load: ({ params, principal }) => readClient(principal.organizationId, params.id),
  run: ({ fresh, answer }) =>
    retrying(fresh, async (client) => {
      await removeClient(client, await answer(client.id, happening('client.deleted', client)));
      return client.id;
    }),
});
