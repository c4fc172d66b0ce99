import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { isOfPlatform } from '#shared/contract/endpoint.ts';
import {
  apiKeyListingKey,
  clientKey,
  connectionKey,
  creditNoteKey,
  importJobKey,
  invoiceCreditsKey,
  invoiceKey,
  type Key,
  organizationKey,
  paymentKey,
  productKey,
  projectKey,
  runningTimerKey,
  sessionKey,
  userKey,
} from '#shared/data/layout/keys.ts';
import { beginSync } from '#shared/data/remote/connection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { pack, readPacked } from '#shared/data/table/packed.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { assign, EXISTS, unread } from '#shared/data/table/writes.ts';
import { routes } from '#shared/routes.ts';
import { Client, type Json } from '#test/support/client.ts';
import { itemsOf } from '#test/support/deletions.ts';
import { giveEverything } from '#test/support/everything.ts';
import { given, type User } from '#test/support/given.ts';
import { givenLaterItems, LATER, later } from '#test/support/later-items.ts';
import { requests, type Scene } from '#test/support/linked-requests.ts';
import { pathTo, requiredQueryOf } from '#test/support/resources.ts';
import { putItems } from '#test/support/table-scan.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

/** One of everything, and what is changed beside it. */
async function resourcesOf(by: User) {
  await giveEverything(by);
  const { id: clientId } = await given.client(by);
  const { id: projectId } = await given.project(by, { clientId, rate: 100 });
  const idOf = async (made: Promise<Json>): Promise<string> => (await made).id;
  const sent = () => idOf(given.sentInvoice(by, { clientId }));
  const paid = await sent();
  const { body: history } = await by.get('/v1/work/tracker/remote/sync/history');
  return {
    clientId,
    projectId,
    paid,
    productId: await idOf(given.product(by)),
    entry: await idOf(given.entry(by, { projectId })),
    job: history.data[0].id,
    payment: (await given.payment(by, paid)).id,
    draft: await idOf(given.invoice(by, { clientId })),
    credited: await sent(),
    creditNote: await idOf(given.creditNote(by, await sent())),
    user: await idOf(given.colleague(by)),
    webhook: (await givenWebhook({}, by)).webhook.id,
    session: (await by.get('/v1/work/tracker/timer/active')).body.data.id,
  };
}

const guarded = routes.filter(({ scope }) => scope !== null && !isOfPlatform(scope));

/** @returns the reads that fail */
async function failingReaders(by: User, ids: Awaited<ReturnType<typeof resourcesOf>>): Promise<string[]> {
  const own: Readonly<Record<string, string | undefined>> = {
    '/products': ids.productId,
    '/clients': ids.clientId,
    '/invoices': ids.credited,
    '/credit-notes': ids.creditNote,
    '/v1/work/tracker/projects': ids.projectId,
    '/v1/work/tracker/entries': ids.entry,
    '/v1/work/tracker/remote/sync/history': ids.job,
    '/v1/users': ids.user,
    '/v1/webhooks': ids.webhook,
  };
  const failing = [];
  for (const route of guarded.filter(({ method }) => method === 'GET')) {
    const id = own[route.path.split('/{')[0] ?? ''] ?? '';
    const { status } = await by.get(pathTo(route.path, id), requiredQueryOf(route));
    const isRefusal = route.operationId.endsWith('EInvoice') && [400, 409].includes(status);
    if (status >= 400 && !isRefusal) failing.push(`${route.operationId}: ${status}`);
  }
  return failing;
}

/** Attributes of an item, and a change of something else. */
type Unknown = readonly [key: Key, names: readonly string[], path?: string, change?: object];

async function setUnknown(key: Key, names: readonly string[]): Promise<void> {
  const values = Object.fromEntries(names.map((name) => [name, LATER]));
  await transact([assign({ ...key, ...values }, unread, EXISTS)]);
}

/** Beside what is asked of each operation: ways by which an item takes another place, or is written anew. */
const OTHERS: Readonly<Record<string, (all: Scene) => readonly unknown[]>> = {
  updateEntry: () => [{ entryDate: '2026-10-07', durationMinutes: 90 }],
  updateInvoice: ({ entryId }) => [{ lineItems: [{ entryIds: [entryId] }] }],
  updateProduct: () => [{ isActive: false }, { isActive: true, sku: 'W-1' }],
};

describe('what a newer version wrote', () => {
  it('is readable, and survives every operation', { timeout: 240_000 }, async () => {
    const prepared = [];
    for (const { title, endpoint, prepare } of requests((each) => guarded.includes(each)))
      prepared.push({ title, endpoint, ...(await prepare()) });
    const lost = await givenLaterItems(...prepared.map(({ all }) => all.ana));
    const refused = [];
    for (const { title, endpoint, all, credential, path, asked } of prepared) {
      const others = OTHERS[endpoint.operationId]?.(all) ?? [];
      for (const each of [asked, ...others.map((body) => ({ body }))]) {
        const { status, body } = await new Client(credential).send(endpoint.method, path, each);
        if (status >= 300) refused.push([title, body]);
      }
    }
    expect(refused).toEqual([]);
    expect(await lost()).toEqual([]);
  });

  it('shows as a stated value, and is there again after a change of something else', { timeout: 120_000 }, async () => {
    const by = await given.user();
    const ids = await resourcesOf(by);
    const id = by.organization.id;
    const unknown: readonly Unknown[] = [
      [clientKey(id, ids.clientId), ['eInvoiceFormat'], `/clients/${ids.clientId}`, { city: 'Bonn' }],
      [organizationKey(id), ['locale', 'taxRounding'], '/v1/organization', { city: 'Bonn' }],
      [
        projectKey(id, ids.projectId),
        ['billingMode', 'status'],
        `/v1/work/tracker/projects/${ids.projectId}`,
        { code: 'X' },
      ],
      [userKey(id, ids.user), ['role'], `/v1/users/${ids.user}`, { timeZone: 'UTC' }],
      [invoiceKey(id, ids.draft), ['locale', 'taxRounding'], `/invoices/${ids.draft}`, { notes: 'x' }],
      [
        connectionKey(id),
        ['visibility', 'lastSyncStatus', 'lastSyncProblem'],
        '/v1/work/tracker/remote/settings',
        { syncEnabled: false },
      ],
      [importJobKey(id, ids.job), ['status', 'trigger']],
      [creditNoteKey(id, ids.creditNote), ['locale', 'taxRounding']],
      [paymentKey(id, ids.paid, ids.payment), ['kind']],
      [invoiceKey(id, ids.credited), ['status']],
      [runningTimerKey(id, by.userId), ['status']],
      [sessionKey(id, by.userId, ids.session), ['status']],
    ];
    for (const [key, names] of unknown) await setUnknown(key, names);
    expect(await failingReaders(by, ids)).toEqual([]);
    expect((await by.get(`/clients/${ids.clientId}`)).body.data.eInvoiceFormat).toBeNull();
    expect((await by.get(`/v1/users/${ids.user}`)).body.data.role).toBe('member');
    for (const [key, names, path, change] of unknown) {
      if (path) expect((await by.patch(path, change)).status, path).toBe(200);
      const item = await readItem(key);
      expect(names.map((name) => item?.[name])).toEqual(names.map(() => LATER));
    }
    await setUnknown(userKey(id, ids.user), ['status']);
    expect((await by.get(`/v1/users/${ids.user}`)).body.data.status).toBe('removed');
    await setUnknown(organizationKey(id), ['status']);
    expect((await by.get('/v1/organization')).status).toBe(401);
  });

  it('of a payment leaves what is paid alone: nobody takes back what its version alone can reckon', async () => {
    const by = await given.user();
    const { id } = await given.sentInvoice(by);
    const payment = await given.payment(by, id);
    await setUnknown(paymentKey(by.organization.id, id, payment.id), ['kind']);
    const before = await readItem(invoiceKey(by.organization.id, id));
    const { status, body } = await by.delete(`/invoices/${id}/payments/${payment.id}`);
    expect([status, body.code]).toEqual([503, 'temporarily_unavailable']);
    expect(await readItem(invoiceKey(by.organization.id, id))).toEqual(before);
    expect((await by.get(`/invoices/${id}/payments`)).body.data).toHaveLength(1);
  });

  it('shows inside values too: the source of an entry, the category of a product', async () => {
    const by = await given.user();
    const { id } = await given.entry(by);
    const product = await given.product(by, { taxCategory: 'reverse_charge' });
    const key = productKey(by.organization.id, product.id);
    const { own } = await itemsOf(by);
    const entries = own.filter(({ entry }) => String(entry).includes('native_tracker'));
    await putItems(entries.map((item) => ({ ...item, entry: String(item.entry).replace('native_tracker', LATER) })));
    const stored = await readItem(key);
    await putItems([{ ...stored, product: String(stored?.product).replace('reverse_charge', LATER) }]);
    expect((await by.get('/v1/work/tracker/entries')).body.data[0]).toMatchObject({ id, source: 'native_tracker' });
    expect((await by.get('/products')).body.data[0].taxCategory).toBeNull();
    expect((await by.patch(`/v1/work/tracker/entries/${id}`, { description: 'Other' })).status).toBe(200);
    expect((await by.patch(`/products/${product.id}`, { name: 'Other' })).status).toBe(200);
    expect((await readItem(key))?.product).toContain(LATER);
    const changed = (await itemsOf(by)).own.filter(({ entry }) => entry !== undefined);
    expect(changed.map(({ entry }) => String(entry).includes(LATER))).toEqual([true, true]);
  });

  it('survives a change of settings while a sync is under way', async () => {
    const by = await given.user();
    await given.connection(by);
    const id = by.organization.id;
    await by.patch('/v1/work/tracker/remote/settings', { syncEnabled: true });
    const begun = await beginSync(id, { jobId: uuidV7(), at: new Date().toISOString() }, new Date(), []);
    expect(begun).toBeDefined();
    const { sync }: Json = await readItem(connectionKey(id));
    const withLater = { ...sync, ...later, reached: { ...sync.reached, ...later } };
    await transact([assign({ ...connectionKey(id), sync: withLater }, unread, EXISTS)]);
    const { status } = await by.patch('/v1/work/tracker/remote/settings', {
      syncEnabled: true,
      syncIntervalMinutes: 90,
    });
    expect(status).toBe(200);
    expect((await readItem(connectionKey(id)))?.sync).toMatchObject({ ...later, reached: later });
  });

  it('survives another credit of the same invoice', async () => {
    const by = await given.user();
    const line = { name: 'Work', price: '100', quantity: '2' };
    const { id, lineItems } = await given.sentInvoice(by, { lineItems: [line, line] });
    const credit = async (position: number) => {
      const lines = [{ lineItemId: lineItems[position].id, quantity: '1' }];
      expect((await by.post(`/invoices/${id}/credit-notes`, { reason: 'x', lines })).status).toBe(201);
      const { credits }: Json = await readItem(invoiceKey(by.organization.id, id));
      return invoiceCreditsKey(by.organization.id, id, credits.id, 0);
    };
    const creditedIn = async (key: Key): Promise<[string, Json][]> =>
      JSON.parse(JSON.stringify(await readPacked([key])));
    const first = await credit(0);
    const [packed] = await pack((await creditedIn(first)).map(([lineId, part]) => [lineId, { ...part, ...later }]));
    await putItems([{ ...first, packed }]);
    await credit(1);
    const credited = new Map(await creditedIn(await credit(0)));
    expect(credited.get(lineItems[0].id)).toMatchObject({ ...later, quantity: '2' });
    expect(credited.size).toBe(2);
  });

  it('of a credited line lets nobody credit more, since what is left is unknown', async () => {
    const by = await given.user();
    const { id, lineItems } = await given.sentInvoice(by);
    const lines = [{ lineItemId: lineItems[0].id, amount: '1' }];
    const credit = () => by.post(`/invoices/${id}/credit-notes`, { reason: 'x', lines });
    expect((await credit()).status).toBe(201);
    const { credits }: Json = await readItem(invoiceKey(by.organization.id, id));
    const [packed] = await pack([[lineItems[0].id, { by: LATER }]]);
    await putItems([{ ...invoiceCreditsKey(by.organization.id, id, credits.id, 0), packed }]);
    const { status, body } = await credit();
    expect([status, body.code]).toEqual([503, 'temporarily_unavailable']);
    expect((await by.get(`/invoices/${id}`)).status).toBe(200);
  });

  it('gives a key no scope that is unknown', async () => {
    const by = await given.user();
    const key = apiKeyListingKey(by.organization.id, by.keyId);
    const stored = await readItem(key);
    await putItems([{ ...stored, scopes: [LATER, 'keys:read'] }]);
    expect((await by.get('/v1/api-keys')).body.data[0].scopes).toEqual(['keys:read']);
  });
});
