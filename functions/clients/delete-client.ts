import { deleteClient } from '#shared/contract/clients.ts';
import { getClient, deleteClient as removeClient } from '#shared/data/clients.ts';
import { implement } from '#shared/http/implement.ts';
import { requestUnlink } from '#shared/queue/unlinks.ts';

/** DELETE /clients/{id}: removes a client at once; a worker then removes the links of its projects and entries. */
export const handler = implement(deleteClient, {
  load: ({ params, principal }) => getClient(principal.organizationId, params.id),
  run: async ({ resource, now }) => {
    const { organizationId, id } = resource;
    await removeClient(resource, now);
    await requestUnlink({ kind: 'client', organizationId, id });
    return id;
  },
});
