import { updateClient } from '#shared/contract/clients/update-client.ts';
import { readClient, saveClient } from '#shared/data/clients/clients.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { reviseClient } from '#shared/domain/clients/client.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /clients/{id}: changes the members that are sent and no others. */
export const handler = implement(updateClient, {
  load: ({ params, principal }) => readClient(principal.organizationId, params.id),
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, async (client) => {
      const changed = reviseClient(client, body, now);
      await saveClient(client, changed, await answer(changed, happening('client.updated', changed)));
      return changed;
    }),
});
