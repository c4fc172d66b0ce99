import { getRemote } from '#shared/contract/remote/get-remote.ts';
import { findConnection } from '#shared/data/remote/connection.ts';
import { NO_CONNECTION, presentConnection } from '#shared/domain/remote/connection.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/remote: the state of the connection and of its sync, or that there is no connection. */
export const handler = implement(getRemote, async ({ principal, now }) => {
  const connection = await findConnection(principal.organizationId);
  return connection ? presentConnection(connection, now) : NO_CONNECTION;
});
