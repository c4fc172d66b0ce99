import { v7 as uuidV7 } from 'uuid';
import { getConnection, saveConnection, saveCredential } from '#shared/data/remote/connection.ts';
import { encryptToken } from '#shared/data/remote/secrets.ts';
import { reviseSettings } from '#shared/domain/remote/connection.ts';
import type { SyncMessage } from '#shared/queue/sync-message.ts';
import { given, type User } from './given.ts';
import type { AccountWishes, RemoteAccount } from './remote-account.ts';

/** Scheduled syncs whose messages a test delivers itself. */

/** A user whose connection is due. */
export async function givenDueConnection(wishes: AccountWishes): Promise<{ by: User; account: RemoteAccount }> {
  const by = await given.user();
  const account = await given.remoteAccount(wishes);
  const organizationId = by.organization.id;
  await saveCredential({
    organizationId,
    userId: by.userId,
    currency: 'USD',
    accountId: account.accountId,
    accountName: 'Initech',
    visibility: 'all',
    encryptedToken: await encryptToken(organizationId, account.accessToken),
  });
  const stored = await getConnection(organizationId);
  await saveConnection(stored, reviseSettings(stored, { syncEnabled: true }));
  return { by, account };
}

/** What the scheduler sends at a tick of the clock. */
export const messageTo = (by: User, at: string): SyncMessage => ({
  organizationId: by.organization.id,
  jobId: uuidV7(),
  at,
});
