import { getClient } from '#shared/contract/clients/get-client.ts';
import { readClient } from '#shared/data/clients/clients.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /clients/{id}: one client of the caller's organization. */
export const handler = implement(getClient, ({ params, principal }) => readClient(principal.organizationId, params.id));
