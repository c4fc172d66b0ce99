import { listClients } from '#shared/contract/clients/list-clients.ts';
import { readClients } from '#shared/data/clients/clients.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /clients: lists clients, newest first by offset, in any order by cursor. */
export const handler = implement(listClients, ({ query, principal, pay }) =>
  readClients({ organizationId: principal.organizationId, ...query, pay }),
);
