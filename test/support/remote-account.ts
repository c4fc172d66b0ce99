import { randomUUID } from 'node:crypto';
import {
  CONTROL_PATH,
  harvestEntryOf,
  type ProviderAccount,
  type RecordedRequest,
  type RemoteEntry,
} from './provider.ts';

/**
 * Accounts at the provider that all local clouds of the tests are connected with: the provider at `REMOTE_API_URL`.
 */

export interface AccountWishes extends Partial<Omit<ProviderAccount, 'entries' | 'betweenPages'>> {
  readonly entries?: readonly RemoteEntry[];
  readonly betweenPages?: readonly RemoteEntry[];
}

export interface RemoteAccount {
  readonly accountId: string;
  readonly accessToken: string;
  /** Changes what the provider has, or how it behaves. Faults begin anew. */
  change(wishes: AccountWishes): Promise<void>;
  /** All requests about the account so far. */
  requests(): Promise<readonly RecordedRequest[]>;
}

/** Registers an administrator's account with the wished entries and faults. */
export async function remoteAccount(wishes: AccountWishes = {}): Promise<RemoteAccount> {
  const url = new URL(CONTROL_PATH, process.env.REMOTE_API_URL);
  let account: ProviderAccount = {
    accountId: randomUUID(),
    accessToken: `token-${randomUUID()}`,
    companyName: 'Initech',
    accessRoles: ['administrator'],
    paging: 'cursors',
    faults: {},
    entries: [],
  };
  const change = async ({ entries, betweenPages, ...others }: AccountWishes): Promise<void> => {
    const lists = {
      entries: entries?.map(harvestEntryOf) ?? account.entries,
      betweenPages: betweenPages?.map(harvestEntryOf),
    };
    account = { ...account, ...others, ...lists };
    await fetch(url, { method: 'POST', body: JSON.stringify(account) });
  };
  await change(wishes);
  const { accountId, accessToken } = account;
  url.searchParams.set('accountId', accountId);
  return {
    accountId,
    accessToken,
    change,
    requests: async () => JSON.parse(await (await fetch(url)).text()),
  };
}

/** What the provider was asked for, page by page. */
export async function questionsTo(account: RemoteAccount): Promise<URLSearchParams[]> {
  const paths = (await account.requests()).map(({ path }) => path);
  return paths
    .filter((path) => path.startsWith('/v2/time_entries'))
    .map((path) => new URL(path, 'http://provider').searchParams);
}
