import { beforeAll, describe, expect, it, vi } from 'vitest';
import { copyCreditNote, copyInvoice } from '#scripts/bench/crowd.ts';
import { seedProducts } from '#scripts/bench/seed.ts';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { listCreditNotes } from '#shared/contract/invoices/list-credit-notes.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { getMe } from '#shared/contract/organization/get-me.ts';
import { listProducts } from '#shared/contract/products/list-products.ts';
import { searchProducts } from '#shared/contract/products/search-products.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { type Counted, countKey } from '#shared/data/layout/keys.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { routes } from '#shared/routes.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { type Cost, costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke, invokeWith } from '#test/support/invoke.ts';

/** A weight by counts is paid before what they count is read: who cannot pay reads the counts at most. */

const DAY = '2026-08-03';
const day = { dateFrom: DAY, dateTo: DAY };

type Asked = Parameters<typeof invoke>[2];

const requests: readonly [string, Endpoint, (client: Json) => Asked][] = [
  ['entries of a crowded day', listEntries, () => ({ query: day })],
  ['entries with q', listEntries, () => ({ query: { ...day, q: 'x' } })],
  ['entries of a user', listEntries, () => ({ query: { ...day, userId: '01900000-0000-7000-8000-000000000001' } })],
  ['unbilled entries', listEntries, () => ({ query: { ...day, billingStatus: 'unbilled' } })],
  [
    'entries on an invoice',
    listEntries,
    () => ({ query: { ...day, invoiceId: '01900000-0000-7000-8000-000000000001' } }),
  ],
  ['a summary by user', summarizeEntries, () => ({ query: { ...day, groupBy: 'user' } })],
  ['products with q', listProducts, () => ({ query: { q: 'x' } })],
  ['a search of products', searchProducts, () => ({ query: { q: 'x' } })],
  ['clients with q', listClients, () => ({ query: { q: 'x' } })],
  ['clients with q, by cursor', listClients, () => ({ query: { q: 'x', pagination: 'cursor' } })],
  ['invoices with q', listInvoices, () => ({ query: { q: 'x' } })],
  ['invoices with q, by cursor', listInvoices, () => ({ query: { q: 'x', pagination: 'cursor' } })],
  ['credit notes with q', listCreditNotes, () => ({ query: { q: 'x' } })],
  [
    'an invoice of time',
    createInvoice,
    ({ id: clientId }) => ({ body: { clientId, currency: 'USD', timeEntries: { ...day, groupBy: 'project' } } }),
  ],
];

describe('a weight by counts', () => {
  let ana: User;
  let client: Json;

  beforeAll(async () => {
    ana = await given.user();
    for (let i = 0; i < 25; i++) client = await given.client(ana, { note: '\u{1f4d0}'.repeat(2_000) });
    await bookEntries(ana, await given.project(ana, { clientId: client.id }), 1_500, [DAY]);
    const { id } = await given.sentInvoice(ana);
    const { id: creditNoteId } = await given.creditNote(ana, id, { reason: 'x'.repeat(500) });
    const { organization, userId } = ana;
    const owner = { organizationId: organization.id, userId };
    await copyInvoice(owner, id, 100, () => 'x'.repeat(2_000));
    await copyCreditNote(owner, creditNoteId, 100);
    await seedProducts({ organizationId: ana.organization.id, userId: ana.userId, products: 1_000, description: '' });
  }, 60_000);

  it('is that of the operations that are tried here', () => {
    // A preview asks the provider first: read-bounds.test.ts has it.
    const counted = routes.filter(
      ({ weight }) => typeof weight === 'object' && 'ofCounted' in weight && weight.atFirst === undefined,
    );
    const tried = new Set(requests.map(([, { operationId }]) => operationId));
    expect(new Set(counted.map(({ operationId }) => operationId))).toEqual(tried);
  });

  it.each(requests)('is paid before the reading: %s', async (_, endpoint, asking) => {
    const ofPoor = await given.user({ organization: ana.organization, rateLimit: 2 });
    await invoke(getMe, ofPoor);
    const refused = await costOfCall(ofPoor, endpoint, asking(client), 429);
    const paid = await costOfCall(ana, endpoint, asking(client), endpoint.method === 'POST' ? 201 : 200);
    expect(refused.writeUnits).toBe(0);
    expect(refused.readUnits).toBeLessThanOrEqual(6);
    expect(paid.readUnits).toBeGreaterThan(5 * Math.max(1, refused.readUnits));
  });

  async function costOfCall(by: User, endpoint: Endpoint, asked: Asked, status: number): Promise<Cost> {
    return costOf(async () => {
      expect((await invoke(endpoint, by, asked)).status).toBe(status);
    });
  }
});

describe('the count that a search weighs by', () => {
  const counted = [
    [listProducts, 'PRODUCT'],
    [listClients, 'CLIENT'],
    [listInvoices, 'INVOICE'],
    [listCreditNotes, 'CREDIT_NOTE'],
  ] as const;

  const searches = [...counted, [searchProducts, 'PRODUCT']] as const;

  const add = (organizationId: string, entity: Counted) =>
    transact([increase(countKey(organizationId, entity), { all: 2_501, active: 2_501 })]);

  it.each(searches)('is held for ten seconds: $operationId', async (endpoint, entity) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { organization, apiKey } = await given.user({ rateLimit: 100 });
    const search = async () => {
      const { status, headers } = await invokeWith(endpoint, `Bearer ${apiKey}`, { query: { q: 'x' } });
      return [status, headers.get('ratelimit')?.split(';')[1]];
    };
    expect(await search()).toEqual([200, 'r=95']);
    await add(organization.id, entity);
    // The bucket is full again by then.
    vi.advanceTimersByTime(9_999);
    expect(await search()).toEqual([200, 'r=95']);
    vi.advanceTimersByTime(1);
    expect(await search()).toEqual([200, 'r=89']);
  });

  it.each(counted)('is not the total of a page: $operationId', async (endpoint, entity) => {
    const dan = await given.user();
    await invoke(endpoint, dan, { query: { q: 'x' } });
    await add(dan.organization.id, entity);
    expect((await invoke(endpoint, dan)).meta.total).toBe(2_501);
  });
});
