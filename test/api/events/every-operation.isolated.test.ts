import { describe, expect, it } from 'vitest';
import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { REMOTE } from '#test/search/work/vocabulary.ts';
import { Client } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { requests } from '#test/support/linked-requests.ts';
import { type ObservedWrite, writesDuring } from '#test/support/observed-writes.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { addUser, newEmail, signIn } from '#test/support/person.ts';

/**
 * Each operation leaves events of the types that its contract names, in the transactions of what they tell of: whatever
 * is written without an event stands here, with the reason.
 */

const own = useOwnCloud();

const isNoRead = ({ method }: Endpoint): boolean => method !== 'GET';

/** Operations that leave no event. */
const SILENT: Readonly<Record<string, string>> = {
  previewRemoteSync: 'It writes nothing.',
  createInvitation: 'Nothing shows an invitation but its own answer.',
  deleteOrganization: 'The feed goes with the organization.',
  ...Object.fromEntries(
    ['createWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'].map((name) => [
      name,
      'The feed does not tell of who is told of it.',
    ]),
  ),
};

/** Kinds of items that no endpoint shows, or that change with others which do leave an event. */
const UNSHOWN: ReadonlySet<string> = new Set([
  // Sums and counts of what leaves events itself
  ...['CALENDAR', 'COUNT', 'LEDGER', 'LEDGER_YEAR'],
  // Where something else is found by its name, its texts or what lists filter by
  ...['CREDIT_NOTE_ROW', 'DIRECTORY', 'DELETED', 'EMAIL', 'INVOICE_ROW', 'NAME', 'PRODUCT_NAME', 'PRODUCT_TEXT'],
  ...['ORGANIZATIONS', 'ORGANIZATION_NAMES', 'USERNAME'],
  // Buckets of tokens, and the secrets of keys: those that the roster has are shown
  ...['APIKEY', 'KEY', 'KEYID'],
  // Who signs in as whom: the user says how many do
  ...['INVITATION', 'LINK', 'PERSON'],
  // Kept answers
  'IDEMPOTENCY',
  // Which request is billing
  'BILLING',
  // What imports remember for the next ones
  ...['HELD_BACK', 'PROVIDER', 'REMOTE_NAME'],
  // The feed
  ...['EVENT', 'FEED'],
  // Who is told of it
  'WEBHOOK',
]);

/** By function: kinds of items that it writes without an event. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  // Entries that are being taken show as before until the invoice is there
  'create-invoice': ['DAY', 'ENTRY'],
  'update-invoice': ['DAY', 'ENTRY', 'HOLD'],
  // An invitation
  'create-invitation': ['USER'],
  // Whom to tell of the feed
  'create-webhook': ['ORG'],
  'update-webhook': ['ORG'],
  'delete-webhook': ['ORG'],
  // Nobody reads what is left of it
  'delete-organization': ['ORG'],
  // Until when an import may take
  'confirm-remote-sync': ['IMPORT_JOB'],
  'import-rows': ['IMPORT_JOB'],
  // The same, which sync is under way, and how far it is
  'sync-connection': ['IMPORT_JOB', 'ORG'],
  'sync-scheduler': ['ORG'],
};

/** @returns what was written without an event, and has no reason */
function untold(writes: readonly ObservedWrite[]): string[] {
  return writes
    .filter(({ types }) => types.length === 0)
    .flatMap(({ by, kinds }) => {
      const shown = kinds.filter((kind) => !UNSHOWN.has(kind) && !UNTOLD[by]?.includes(kind));
      return shown.length > 0 ? [`${by} writes ${shown.join(', ')}`] : [];
    });
}

/** Types that an operation leaves where its object is in another state than here. Tests of its own show them. */
const SELDOM: Readonly<Record<string, readonly string[]>> = {
  confirmRemoteSync: ['import.failed'],
  connectRemote: ['remote.connected'],
  createCreditNote: ['invoice.updated'],
  createPayment: ['invoice.paid'],
  deletePayment: ['invoice.paid', 'invoice.reopened'],
  importRows: ['import.failed'],
};

/** It comes first: connections of the operations would be synced, too. */
describe('what goes on behind requests', () => {
  const byFunction = (writes: readonly ObservedWrite[]) => {
    const told = writes.filter(({ types }) => types.length > 0);
    return Object.fromEntries(
      [...Map.groupBy(told, ({ by }) => by)].map(([by, own]) => [by, own.flatMap(({ types }) => types)]),
    );
  };

  it('a scheduled sync leaves the events of its import, or none if it brings nothing', async () => {
    const ana = await given.user();
    await given.connection(ana, { entries: [{}, {}] });
    await ana.patch(`${REMOTE}/settings`, { syncEnabled: true, syncIntervalMinutes: 15 });
    const syncIn = (hours: number) =>
      writesDuring(own.cloud, async () => {
        const time = new Date((Math.floor(Date.now() / 1_000) + hours * 3_600) * 1_000);
        await own.cloud.fireSchedule('sync-scheduler', time);
        const lastSync = async () => (await ana.get(REMOTE)).body.data;
        await expect.poll(lastSync).toMatchObject({ lastSyncAt: time.toISOString(), lastSyncStatus: 'succeeded' });
      });
    const bringing = await syncIn(1);
    expect(untold(bringing)).toEqual([]);
    expect(byFunction(bringing)).toEqual({
      'sync-connection': ['import.started'],
      'import-chunk': ['entries.imported', 'import.imported'],
    });
    const empty = await syncIn(2);
    expect(untold(empty)).toEqual([]);
    expect(byFunction(empty)).toEqual({});
    await ana.delete(REMOTE);
  });

  it('a person who signs in changes the user that it is', async () => {
    const ana = await given.user();
    const email = newEmail();
    await addUser(ana.organization, email);
    const me = async () => {
      expect((await signIn(email).in(ana.organization.id).get('/v1/me')).status).toBe(200);
    };
    const writes = await writesDuring(own.cloud, me);
    expect(untold(writes)).toEqual([]);
    expect(byFunction(writes)).toEqual({ 'get-me': ['user.updated'] });
    expect(byFunction(await writesDuring(own.cloud, me))).toEqual({});
  });
});

describe('an operation', () => {
  it('that is no read names its events, or is known to leave none', () => {
    const unnamed = routes.filter(isNoRead).filter(({ events = [] }) => events.length === 0);
    expect(unnamed.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(SILENT).sort());
    expect(routes.filter((endpoint) => !isNoRead(endpoint) && endpoint.events)).toEqual([]);
  });

  const byOperation = Map.groupBy(requests(isNoRead), ({ endpoint }) => endpoint.operationId);

  it.each([...byOperation])('leaves what its contract names: %s', async (operationId, asked) => {
    const left = new Set<string>();
    for (const { endpoint, prepare } of asked) {
      const { all, credential, path, asked } = await prepare();
      const after = await presentEnd(all.ana);
      let status = 0;
      const writes = await writesDuring(own.cloud, async () => {
        ({ status } = await new Client(credential).send(endpoint.method, path, asked));
      });
      expect(status).toBeLessThan(300);
      expect(untold(writes)).toEqual([]);
      const types = writes.flatMap((write) => write.types);
      for (const type of types) left.add(type);
      if (isOfPlatform(endpoint.scope)) continue;
      expect((await happenedSince(all.ana, after)).map(([type]) => type).sort()).toEqual(types.sort());
    }
    const { events = [] } = asked[0]?.endpoint ?? {};
    const expected = events.filter((type) => !SELDOM[operationId]?.includes(type));
    expect([...left].sort()).toEqual(expected.toSorted());
  });
});
