import { v7 as uuidV7 } from 'uuid';
import { afterEach } from 'vitest';
import type { Cloud } from '#scripts/local/cloud.ts';
import { deleteConnection, findConnection, getConnection, saveConnection } from '#shared/data/remote/connection.ts';
import { encryptToken } from '#shared/data/remote/secrets.ts';
import { type Credential, connect, reviseSettings } from '#shared/domain/remote/connection.ts';
import type { SyncMessage } from '#shared/queue/sync-message.ts';
import type { Json } from './client.ts';
import { eventually } from './fixture-app/cloud.ts';
import { given, type User } from './given.ts';
import { type AccountWishes, questionsTo, type RemoteAccount } from './remote-account.ts';

/** Scheduled syncs, which a cloud makes, or whose messages a test delivers itself. */

export interface Synced {
  readonly by: User;
  readonly account: RemoteAccount;
}

/** Whole seconds, as the clock of events has. */
const START = new Date(Math.floor(Date.now() / 1_000) * 1_000);

export const hoursAfter = (hours: number) => new Date(START.getTime() + hours * 3_600_000);

/** `YYYY-MM-DD` of so many days after the start. */
export const day = (offset: number) =>
  hoursAfter(24 * offset)
    .toISOString()
    .slice(0, 10);

/**
 * Call it once in a test file whose cloud syncs. The scheduler takes whatever is due, so each test's connections end with it.
 *
 * @returns what makes a connected user whose sync is switched on
 */
export function useSyncs(): (wishes?: AccountWishes) => Promise<Synced> {
  const users: User[] = [];
  afterEach(async () => {
    for (const { organization } of users.splice(0)) {
      const connection = await findConnection(organization.id);
      if (connection) await deleteConnection(connection, []);
    }
  });
  return async (wishes = {}) => {
    const by = await given.user();
    users.push(by);
    const account = await given.connection(by, wishes);
    await by.patch('/v1/work/tracker/remote/settings', { syncEnabled: true, syncIntervalMinutes: 60 });
    return { by, account };
  };
}

/** Starts what is due at a time, and waits for the sync of the user. @returns the connection as it is shown then */
export async function syncAt(cloud: Pick<Cloud, 'fireSchedule'>, by: User, time: Date): Promise<Json> {
  await cloud.fireSchedule('sync-scheduler', time);
  return syncEnded(by, time);
}

export function syncEnded(by: User, time: Date): Promise<Json> {
  return eventually(async () => {
    const shown = (await by.get('/v1/work/tracker/remote')).body.data;
    return shown.lastSyncAt === time.toISOString() ? shown : undefined;
  });
}

/** The days that a provider was asked for by themselves. */
export const daysAskedOf = async (account: RemoteAccount): Promise<string[]> =>
  (await questionsTo(account)).flatMap((query) =>
    query.get('from') === query.get('to') ? (query.get('from') ?? []) : [],
  );

/** Of each entry, by its description. */
export async function minutesOf(by: User): Promise<Json> {
  const { data } = (await by.get('/v1/work/tracker/entries', { limit: 200 })).body;
  return Object.fromEntries(data.map(({ description, durationMinutes }: Json) => [description, durationMinutes]));
}

type Owner = Pick<Credential, 'organizationId' | 'userId'>;

/** Connects an organization that was not. */
export async function saveCredential(owner: Owner, values: Partial<Credential> = {}): Promise<void> {
  const account = { accountId: '1', accountName: 'Initech', visibility: 'all', encryptedToken: 'c2VjcmV0' } as const;
  await saveConnection(undefined, connect(undefined, { ...owner, ...account, ...values }), []);
}

/** A user whose connection is due. */
export async function givenDueConnection(wishes: AccountWishes): Promise<Synced> {
  const by = await given.user();
  const account = await given.remoteAccount(wishes);
  const organizationId = by.organization.id;
  const encryptedToken = await encryptToken(organizationId, account.accessToken);
  await saveCredential({ organizationId, userId: by.userId }, { accountId: account.accountId, encryptedToken });
  const stored = await getConnection(organizationId);
  await saveConnection(stored, reviseSettings(stored, { syncEnabled: true }), []);
  return { by, account };
}

/** What the scheduler sends at a tick of the clock. */
export const messageTo = (by: User, at: string): SyncMessage => ({
  organizationId: by.organization.id,
  jobId: uuidV7(),
  at,
});
