import { beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#scripts/bench/seed.ts';
import { isOfPlatform } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import type { Project } from '#shared/domain/tracker/project.ts';
import { routes } from '#shared/routes.ts';
import { makeInvoice, storeInvoices } from '#test/support/bulk-invoices.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { addClient } from '#test/support/directories.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * The most that lists, sums and searches may cost at the size of a team: 100,000 entries over 1,000 days in 50 projects
 * of 20 clients. The ledger has all of it. The entries themselves, which take long to write, are there on the days that
 * pages are read from.
 */

const ENTRIES = 100_000;
const DAYS = 1_000;
const MONTH = { dateFrom: '2025-12-01', dateTo: '2025-12-31' };
const UNTIL = '2026-01-01';
const MILLISECONDS_PER_DAY = 86_400_000;

/**
 * Where pages lie: the last weeks, the middle, the first days. A page that met another day would find less than was
 * counted, and read again.
 */
const isOpened = (date: string) => {
  const daysBack = (Date.parse(UNTIL) - Date.parse(date)) / MILLISECONDS_PER_DAY;
  return daysBack <= 31 || Math.abs(daysBack - DAYS / 2) <= 2 || daysBack > DAYS - 3;
};

describe('capacity', () => {
  let ana: User;
  let projects: Project[];
  const clients: Json[] = [];

  beforeAll(async () => {
    ana = await given.user({ rateLimit: 1_000 });
    for (let i = 0; i < 20; i++) clients.push(await given.client(ana));
    projects = await seed({
      organizationId: ana.organization.id,
      userId: ana.userId,
      entries: ENTRIES,
      days: DAYS,
      projects: 50,
      clientIds: clients.map(({ id }) => id),
      until: UNTIL,
      isOpened,
      lanes: 1,
    });
  }, 240_000);

  it('of authentication and rate limit is at most 0.1 write units a request', async () => {
    const bea = await given.user({ rateLimit: 1_200 });
    const { id } = await given.product(bea);
    const REQUESTS = 100;
    const cost = await costOf(async () => {
      for (let i = 0; i < REQUESTS; i++) expect((await invoke(getProduct, bea, { params: { id } })).status).toBe(200);
    });
    expect(cost.leaseWriteUnits / REQUESTS).toBeLessThanOrEqual(0.1);
    expect(cost.readUnits).toBe(REQUESTS);
  });

  it.each([
    ['the first page', {}, 8],
    ['a page in the middle', { offset: '50000' }, 8],
    ['the last page', { offset: '99900' }, 8],
    ['a page of one project', { projectId: 'first' }, 35],
    ['a page of one client', { clientId: 'first' }, 60],
    ['a page of what is not billable', { billable: 'false' }, 35],
    ['a page of a month', { ...MONTH, offset: '1500' }, 8],
    ['a page of a source', { source: 'native_tracker', offset: '50000' }, 35],
  ])(
    'of %s of 50 and of 100 is at most 4 round trips and 120 read units',
    async (_, { projectId, clientId, ...query }: Record<string, string>, mostCalls) => {
      const links = {
        ...(projectId && { projectId: projects[0]?.id ?? '' }),
        ...(clientId && { clientId: clients[0]?.id ?? '' }),
      };
      for (const limit of [50, 100].filter((size) => size === 50 || !projectId)) {
        const read = async () => {
          const { data } = await invoke(listEntries, ana, { query: { ...query, ...links, limit: `${limit}` } });
          expect(data).toHaveLength(limit);
        };
        await read();
        const cost = await costOf(read);
        expect(cost.calls).toBeLessThanOrEqual(mostCalls);
        expect(cost.roundTrips).toBeLessThanOrEqual(4);
        expect(cost.readUnits).toBeLessThanOrEqual(120);
      }
    },
  );

  it.each([
    ['a month', MONTH, 4],
    ['all time', { dateFrom: '2000-01-01', dateTo: '2099-12-31' }, 4],
    ['some months and days', { dateFrom: '2023-11-11', dateTo: '2025-12-30' }, 8],
  ])('of a summary of %s is at most 2 round trips and 100 read units', async (_, query, mostCalls) => {
    const read = async () =>
      expect((await invoke(summarizeEntries, ana, { query })).data.byProject.length).toBeGreaterThanOrEqual(50);
    await read();
    const cost = await costOf(read);
    expect(cost.calls).toBeLessThanOrEqual(mostCalls);
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
    expect(cost.readUnits).toBeLessThanOrEqual(100);
  });

  it('of searching a month is at most 40 calls, and of billing a month of a client at most 60', async () => {
    const search = async () =>
      expect((await invoke(listEntries, ana, { query: { ...MONTH, q: 'item 199' } })).meta.total).toBeGreaterThan(0);
    await search();
    const searching = await costOf(search);
    expect(searching.calls).toBeLessThanOrEqual(40);
    expect(searching.roundTrips).toBeLessThanOrEqual(4);
    const body = { clientId: clients[1]?.id, timeEntries: { ...MONTH, groupBy: 'project' } };
    const billing = await costOf(async () => expect((await invoke(createInvoice, ana, { body })).status).toBe(201));
    expect(billing.calls).toBeLessThanOrEqual(60);
  });
});

describe('lists', () => {
  const CLIENTS = 300;
  const BEHIND_THE_END = String(Number.MAX_SAFE_INTEGER);

  let cleo: User;
  let invoiceId: string;

  beforeAll(async () => {
    cleo = await given.user();
    for (let i = 0; i < CLIENTS; i++) {
      await addClient(cleo.organization.id, `Client ${i}`);
    }
    for (let i = 0; i < 5; i++) {
      await given.product(cleo);
      ({ id: invoiceId } = await given.invoice(cleo));
      await given.project(cleo);
      await given.entry(cleo);
      await given.apiKey(cleo);
      const { id } = await given.timer(cleo);
      await cleo.post(`/v1/work/tracker/timer/${id}/stop`);
    }
  }, 120_000);

  const lists = routes.filter(
    ({ response, scope }) => !isOfPlatform(scope) && (response.kind === 'list' || response.kind === 'listOrCursorPage'),
  );

  /** Filters of each list, beside none. A list without a required parameter is read without any. */
  const filters: Readonly<Record<string, readonly Record<string, string>[]>> = {
    listProducts: [{}, { q: 'consult' }, { includeInactive: 'true' }],
    searchProducts: [{ q: 'consult' }],
    listClients: [{}, { q: 'client 1' }],
    listInvoices: [{}, { q: 'north' }, { status: 'draft' }],
    listProjects: [{}, { status: 'in_progress' }],
    listEntries: [{}, { q: 'work' }, { billable: 'true' }],
    listTimerSessions: [{}, { status: 'stopped' }, { status: 'running' }],
  };

  const cases = lists.flatMap((list) => (filters[list.operationId] ?? [{}]).map((filter) => [list, filter] as const));

  it.each(cases.map(([list, filter]) => [list.operationId, JSON.stringify(filter), list, filter] as const))(
    'cost at or behind the end no more than their first page: %s %s',
    async (_, __, list, filter) => {
      const params = { id: invoiceId };
      const read = (query: Record<string, string>) => invoke(list, cleo, { params, query: { ...filter, ...query } });
      const { meta } = await read({});
      const first = await costOf(() => read({}));
      for (const offset of [BEHIND_THE_END, String(meta.total), String(meta.total + 1)]) {
        const behind = await costOf(async () =>
          expect(await read({ offset })).toMatchObject({ status: 200, data: [], meta: { total: meta.total } }),
        );
        expect(behind.readUnits, offset).toBeLessThanOrEqual(first.readUnits);
        expect(behind.calls, offset).toBeLessThanOrEqual(first.calls);
      }
    },
  );
});

describe('10,000 invoices with notes of 500 letters', () => {
  const INVOICES = 10_000;
  const PAGE = 100;

  let eli: User;

  beforeAll(async () => {
    eli = await given.user({ rateLimit: 1_000 });
    const { id } = eli.organization;
    const start = Date.parse('2026-01-01T00:00:00.000Z');
    const notes = 'workshop '.repeat(56).slice(0, 500);
    const invoices = Array.from({ length: INVOICES }, (_, i) => ({ ...makeInvoice(id, i, start + i * 1_000), notes }));
    await storeInvoices(id, invoices);
  }, 300_000);

  const DUE = { status: 'sent', dueFrom: '2027-11-05', dueTo: '2027-11-08' };

  const ISSUED = { issueFrom: '2026-11-05', issueTo: '2026-11-06' };

  const PAGES: readonly [string, Record<string, string>, roundTrips: number, readUnits: number][] = [
    ['of a status', { status: 'sent' }, 3, 540],
    ['of a status, deep', { status: 'sent', offset: '5000' }, 3, 540],
    ['of a status by cursor', { status: 'sent', pagination: 'cursor' }, 3, 540],
    ['of a status by cursor and total', { status: 'sent', pagination: 'cursor', orderBy: 'total' }, 4, 490],
    ['of some days, in the order of these', { ...DUE, pagination: 'cursor', orderBy: 'dueDate' }, 2, 140],
    ['issued on some days, in the order of these', { ...ISSUED, pagination: 'cursor', orderBy: 'issueDate' }, 2, 140],
    ['in the middle', { offset: '5000' }, 4, 310],
  ];

  it.each(PAGES)('cost as little as lean rows and the page: %s', async (_, query, mostTrips, mostUnits) => {
    const size = 'pagination' in query ? 'first' : 'limit';
    const cost = await costOf(async () => {
      const { status, data, edges } = await invoke(listInvoices, eli, { query: { ...query, [size]: String(PAGE) } });
      expect({ status, found: (data ?? edges).length }).toEqual({ status: 200, found: PAGE });
    });
    expect(cost.roundTrips).toBeLessThanOrEqual(mostTrips);
    expect(cost.readUnits).toBeLessThanOrEqual(mostUnits);
  });
});
