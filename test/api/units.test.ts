import { expect, it } from 'vitest';
import { isOfPlatform } from '#shared/contract/endpoint.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { requests } from '#test/support/linked-requests.ts';

/**
 * Calls to the table, round trips to it, read units and write units of each request, in a small organization whose
 * directory the function holds, and in which nobody has just searched. A change of the directory is the fourth,
 * and moves the three before it to an item of their own, as every third does. How they grow with an organization is
 * asserted in `test/data/capacity.test.ts` and beside it.
 */
const COSTS: Readonly<
  Record<string, readonly [calls: number, roundTrips: number, readUnits: number, writeUnits: number]>
> = {
  'createProduct (1)': [1, 1, 0, 12],
  'listProducts (1)': [1, 1, 1, 0],
  'searchProducts (1)': [3, 3, 3, 0],
  'getProduct (1)': [1, 1, 1, 0],
  'updateProduct (1)': [2, 2, 1, 12],
  'deleteProduct (1)': [2, 2, 1, 12],
  'createClient (1)': [2, 2, 1, 13],
  'listClients (1)': [2, 1, 2, 0],
  'listClients (2)': [2, 1, 1.5, 0],
  'getClient (1)': [1, 1, 1, 0],
  'updateClient (1)': [3, 3, 2, 12],
  'deleteClient (1)': [3, 3, 2, 15],
  'createInvoice (1)': [4, 2, 3, 16],
  'createInvoice (2)': [7, 4, 5, 28],
  'createInvoice (3)': [7, 5, 5, 26],
  'listInvoices (1)': [2, 1, 2, 0],
  'listInvoices (2)': [2, 1, 1.5, 0],
  'listInvoices (3)': [3, 3, 3, 0],
  'getInvoice (1)': [3, 2, 3, 0],
  'updateInvoice (1)': [4, 3, 3, 13],
  'updateInvoice (2)': [7, 6, 6, 12],
  'deleteInvoice (1)': [4, 3, 3, 16],
  'sendInvoice (1)': [6, 4, 5, 15],
  'payInvoice (1)': [3, 2, 2, 14],
  'createPayment (1)': [3, 3, 2, 8],
  'createRefund (1)': [3, 3, 2, 8],
  'listPayments (1)': [2, 2, 2, 0],
  'deletePayment (1)': [3, 3, 2, 8],
  'voidInvoice (1)': [2, 2, 1, 14],
  'getInvoicePdf (1)': [2, 2, 2, 0],
  'getEInvoice (1)': [1, 1, 1, 0],
  'checkEInvoice (1)': [3, 2, 3, 0],
  'createCreditNote (1)': [5, 3, 4, 29],
  'listCreditNotes (1)': [2, 1, 2, 0],
  'getCreditNote (1)': [1, 1, 1, 0],
  'getCreditNotePdf (1)': [1, 1, 1, 0],
  'getCreditNoteEInvoice (1)': [1, 1, 1, 0],
  'checkCreditNoteEInvoice (1)': [1, 1, 1, 0],
  'createProject (1)': [2, 2, 1, 16],
  'listProjects (1)': [3, 1, 3, 0],
  'getProject (1)': [2, 2, 2, 0],
  'updateProject (1)': [4, 4, 3, 16],
  'updateProject (2)': [4, 4, 3, 14],
  'deleteProject (1)': [3, 3, 2, 22],
  'createEntry (1)': [3, 2, 3, 16],
  'listEntries (1)': [4, 3, 4, 0],
  'listEntries (2)': [7, 6, 7, 0],
  'listEntries (3)': [4, 3, 4, 0],
  'summarizeEntries (1)': [2, 1, 2, 0],
  'summarizeEntries (2)': [2, 1, 2, 0],
  'getEntry (1)': [2, 1, 2, 0],
  'updateEntry (1)': [3, 3, 2, 8],
  'updateEntry (2)': [3, 3, 2, 20],
  'deleteEntry (1)': [2, 2, 1, 16],
  'getActiveTimer (1)': [1, 1, 1, 0],
  'getActiveTimer (2)': [2, 2, 2, 0],
  'startTimer (1)': [2, 2, 1, 8],
  'updateTimer (1)': [3, 3, 2, 6],
  'stopTimer (1)': [4, 3, 4, 22],
  'discardTimer (1)': [3, 3, 2, 8],
  'listTimerSessions (1)': [3, 2, 3, 0],
  'connectRemote (1)': [2, 2, 1, 4],
  'getRemote (1)': [1, 1, 1, 0],
  'updateRemoteSettings (1)': [2, 2, 1, 5],
  'disconnectRemote (1)': [2, 2, 1, 4],
  'previewRemoteSync (1)': [6, 3, 8, 0],
  'confirmRemoteSync (1)': [7, 6, 6, 16],
  'importRows (1)': [6, 5, 5, 16],
  'importRows (2)': [4, 2, 6, 0],
  'listRemoteSyncHistory (1)': [2, 1, 2, 0],
  'getRemoteSync (1)': [1, 1, 1, 0],
  'undoRemoteSync (1)': [6, 6, 4, 20],
  'listEvents (1)': [10, 10, 6, 8],
  'createWebhook (1)': [14, 14, 9, 15],
  'listWebhooks (1)': [4, 4, 4, 0],
  'getWebhook (1)': [4, 4, 4, 0],
  'updateWebhook (1)': [5, 5, 4, 6],
  'deleteWebhook (1)': [2, 2, 1, 7],
  'rotateWebhookSecret (1)': [5, 5, 4, 4],
  'testWebhook (1)': [1, 1, 1, 0],
  'createApiKey (1)': [2, 2, 1, 10],
  'createApiKey (2)': [4, 4, 3, 22],
  'listApiKeys (1)': [2, 2, 2, 0],
  'revokeApiKey (1)': [3, 3, 2, 10],
  'getMe (1)': [1, 1, 3, 0],
  'listOwnOrganizations (1)': [1, 1, 2, 0],
  'linkMe (1)': [6, 5, 7, 12],
  'updateMe (1)': [3, 3, 4, 14],
  'createUser (1)': [2, 2, 1, 16],
  'listUsers (1)': [2, 1, 2, 0],
  'getUser (1)': [1, 1, 1, 0],
  'updateUser (1)': [3, 3, 2, 14],
  'removeUser (1)': [6, 5, 5, 16],
  'endSignIns (1)': [2, 2, 1, 4],
  'createInvitation (1)': [2, 2, 1, 4],
  'getOrganization (1)': [2, 1, 3, 0],
  'updateOrganization (1)': [4, 4, 4, 12],
  'setLogo (1)': [2, 2, 1, 6],
  'getLogo (1)': [2, 2, 2, 0],
  'deleteLogo (1)': [2, 2, 1, 4],
};

/** So short that the confirm of an import looks at it once, and does not wait for its end. */
const ONE_LOOK_MILLISECONDS = 2_900;

// The others know no caller, and their functions no table. `test/data/organization` has those of the platform.
it.each(requests(({ scope }) => scope !== null && !isOfPlatform(scope)))(
  'costs these calls, round trips and units: $title',
  async ({ title, endpoint, prepare }) => {
    const { all, params, credential, asked } = await prepare();
    // From here on the directory of the organization is held.
    await invokeWith(listEntries, `Bearer ${all.ana.apiKey}`);
    const isImport = endpoint === confirmRemoteSync || endpoint === importRows;
    const remainingMilliseconds = isImport ? ONE_LOOK_MILLISECONDS : undefined;
    const cost = await costOf(async () => {
      const { status } = await invokeWith(endpoint, `Bearer ${credential}`, {
        params,
        ...asked,
        remainingMilliseconds,
      });
      expect(status).toBeLessThan(300);
    });
    expect([cost.calls, cost.roundTrips, cost.readUnits, cost.writeUnits]).toEqual(COSTS[title]);
  },
);

/** One takes a product once more. */
const changes = requests(({ method }) => method === 'PATCH').filter(({ title }) => title !== 'updateInvoice (2)');

it.each(changes)('writes nothing where nothing changes: $title', async ({ endpoint, prepare }) => {
  const { params, credential, asked } = await prepare();
  const change = () => invokeWith(endpoint, `Bearer ${credential}`, { params, ...asked });
  await change();
  const { writeUnits } = await costOf(async () => expect((await change()).status).toBe(200));
  expect(writeUnits).toBe(0);
});
