import { disconnectRemote } from '#shared/contract/remote/disconnect-remote.ts';
import { deleteConnection, getConnection } from '#shared/data/remote/connection.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { NO_CONNECTION } from '#shared/domain/remote/connection.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/work/tracker/remote: removes the credential and the settings of the sync. */
export const handler = implement(disconnectRemote, {
  load: ({ principal }) => getConnection(principal.organizationId),
  run: async ({ resource, principal, answer }) => {
    const disconnected = happening('remote.disconnected', { id: principal.organizationId });
    await deleteConnection(resource, await answer(NO_CONNECTION, disconnected));
    return NO_CONNECTION;
  },
});
