import { connectRemote } from '#shared/contract/remote/connect-remote.ts';
import { findConnection, saveConnection } from '#shared/data/remote/connection.ts';
import { encryptToken } from '#shared/data/remote/secrets.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { connect, presentConnection } from '#shared/domain/remote/connection.ts';
import { implement } from '#shared/http/implement.ts';
import { provider } from '#shared/remote/harvest.ts';
import { answerOf } from '#shared/remote/problems.ts';
import { deadlineAfter } from '#shared/remote/provider.ts';

/** Leaves the function time to store the credential that the provider has accepted. */
const PROVIDER_MILLISECONDS = 18_000;

/** POST /v1/work/tracker/remote/connect: validates a credential with the provider and stores it. */
export const handler = implement(connectRemote, async ({ body, principal, now, answer }) => {
  const { organizationId, userId } = principal;
  const asked = provider.identify(body, deadlineAfter(PROVIDER_MILLISECONDS));
  const { name: accountName, visibility } = await answerOf(asked, 'invalid_remote_credential');
  const encryptedToken = await encryptToken(organizationId, body.accessToken);
  const { accountId } = body;
  const credential = { organizationId, userId, accountId, accountName, visibility, encryptedToken };
  const read = () => findConnection(organizationId);
  return retrying(read, async (current) => {
    const connection = connect(current, credential);
    const shown = presentConnection(connection, now);
    const made = happening(current ? 'remote.updated' : 'remote.connected', { id: organizationId });
    await saveConnection(current, connection, await answer(shown, made));
    return shown;
  });
});
