import { v7 as uuidV7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#scripts/bench/seed.ts';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { getEntry } from '#shared/contract/tracker/get-entry.ts';
import { getProject } from '#shared/contract/tracker/get-project.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import type { Project } from '#shared/domain/tracker/project.ts';
import { routes } from '#shared/routes.ts';
import { makeInvoice, storeInvoices } from '#test/support/bulk-invoices.ts';
import { type Cost, costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * The most that each operation may cost at the size of a team: 100,000 entries over 1,000 days in 50 projects of 20
 * clients, and a crowded day of 500 cells (`crowded-day.test.ts` has one of 10,000). The ledger has all of it. The entries
 * themselves, which take long to write, are there on the days that pages are read from.
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
  const costs: Record<string, Cost> = {};

  async function measure(name: string, operation: () => Promise<unknown>): Promise<Cost> {
    const cost = await costOf(operation);
    costs[name] = cost;
    return cost;
  }

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

  afterAll(() => console.table(costs));

  it('of authentication and rate limit is at most 0.1 write units a request', async () => {
    const bea = await given.user({ rateLimit: 1_200 });
    const { id } = await given.product(bea);
    const REQUESTS = 100;
    const cost = await measure(`${REQUESTS} requests of one function`, async () => {
      for (let i = 0; i < REQUESTS; i++) expect((await invoke(getProduct, bea, { params: { id } })).status).toBe(200);
    });
    expect(cost.leaseWriteUnits / REQUESTS).toBeLessThanOrEqual(0.1);
    expect(cost.readUnits).toBe(REQUESTS);
  });

  it('of one product, project or sent invoice is one round trip and one read unit', async () => {
    const product = await given.product(ana);
    const invoice = await given.sentInvoice(ana);
    const project = await given.project(ana);
    const reads = [
      () => invoke(getInvoice, ana, { params: { id: invoice.id } }),
      () => invoke(getProduct, ana, { params: { id: product.id } }),
      () => invoke(getProject, ana, { params: { id: project.id } }),
    ];
    for (const read of reads) {
      const cost = await measure('get one', async () => expect((await read()).status).toBe(200));
      expect(cost).toMatchObject({ roundTrips: 1, readUnits: 1 });
    }
  });

  it('of a draft is one more round trip, and a read unit each for its organization and its client', async () => {
    const { id } = await given.invoice(ana);
    const read = () => invoke(getInvoice, ana, { params: { id } });
    expect(await measure('get a draft', read)).toMatchObject({ roundTrips: 2, readUnits: 3 });
  });

  it('of a page of invoices is a unit more for the organization and for each client of its drafts', async () => {
    const dan = await given.user();
    const [client, other] = [await given.client(dan), await given.client(dan)];
    const read = (query: Record<string, string> = {}) =>
      measure(`list invoices ${JSON.stringify(query)}`, () => invoke(listInvoices, dan, { query }));
    for (const { id } of [client, client, other]) await given.sentInvoice(dan, { clientId: id });
    const sent = await read();
    for (const { id } of [client, client, other]) await given.invoice(dan, { clientId: id });
    const drafts = await read();
    // Two for the rows, which are twice as many.
    expect(drafts.readUnits - sent.readUnits).toBeLessThanOrEqual(1 + 2 + 2);
    expect(drafts.roundTrips).toBe(sent.roundTrips + 1);
    await read({ q: 'nothing' });
    // Two for the invoices, whose texts are searched, and one for the names of all clients. Their count is held.
    expect((await read({ q: 'nothing' })).readUnits).toBe(2 + 1);
  });

  it('of an entry is two read units and one round trip, whatever it is linked to', async () => {
    const [project] = projects;
    const read = (id: string) => invoke(getEntry, ana, { params: { id } });
    const linked = { projectId: project?.id, clientId: null };
    for (const links of [{}, linked, { clientId: clients[0]?.id }, { projectId: project?.id }]) {
      const { id } = await given.entry(ana, { entryDate: '2026-06-01', ...links });
      await read(id);
      expect(await measure('get an entry', () => read(id))).toMatchObject({ roundTrips: 1, readUnits: 2 });
    }
  });

  it('of creating an entry in a project, with its client or another, is 2 round trips, one read and at most 14 write units', async () => {
    const withoutClient = await given.project(ana);
    for (const links of [
      { projectId: projects[1]?.id },
      { projectId: withoutClient.id },
      { projectId: withoutClient.id, clientId: clients[0]?.id },
    ]) {
      const body = { description: 'Work', durationMinutes: 60, entryDate: '2026-06-01', ...links };
      const create = async () => expect((await invoke(createEntry, ana, { body })).status).toBe(201);
      await create();
      const cost = await measure('create an entry in a project', create);
      expect(cost).toMatchObject({ roundTrips: 2, readUnits: 1 });
      expect(cost.writeUnits).toBeLessThanOrEqual(14);
    }
  });

  it('of a name for a request is 4 write units, a read unit and two round trips, and the read alone when it is repeated', async () => {
    const send = (endpoint: Endpoint, key: string | undefined, body: unknown) =>
      costOf(() => invoke(endpoint, ana, { body, ...(key && { headers: { 'idempotency-key': key } }) }));
    const product = { name: 'Consulting', price: '1' };
    const entry = { description: 'Work', durationMinutes: 60, entryDate: '2026-06-01', projectId: projects[0]?.id };
    await send(createEntry, undefined, entry);
    for (const [endpoint, body] of [
      [createProduct, product],
      [createEntry, entry],
    ] as const) {
      const plain = await send(endpoint, undefined, body);
      const named = await send(endpoint, endpoint.operationId, body);
      expect(named.writeUnits - plain.writeUnits).toBe(4);
      expect(named.roundTrips - plain.roundTrips).toBe(2);
      expect(named.readUnits - plain.readUnits).toBe(1);
      const repeated = await send(endpoint, endpoint.operationId, body);
      // DynamoDB does not report what a failed condition costs: a unit for each KiB of the record.
      expect(repeated).toMatchObject({ calls: 1, readUnits: 1 });
    }
    const refused = await send(createProduct, 'refused', { name: 'x' });
    expect(refused).toMatchObject({ calls: 3, writeUnits: 2, readUnits: 1 });
  });

  it('of changing the description of an entry is 3 round trips and at most 7 write units, and of deleting it 2', async () => {
    const { id } = await given.entry(ana, { entryDate: '2026-06-01', projectId: projects[0]?.id });
    const change = (description: string) => async () =>
      expect((await invoke(updateEntry, ana, { params: { id }, body: { description } })).status).toBe(200);
    await change('Some work')();
    const changing = await measure('change an entry', change('Other work'));
    expect(changing).toMatchObject({ roundTrips: 3 });
    expect(changing.writeUnits).toBeLessThanOrEqual(7);
    const deleting = await measure('delete an entry', async () =>
      expect((await invoke(deleteEntry, ana, { params: { id } })).status).toBe(200),
    );
    expect(deleting).toMatchObject({ roundTrips: 2 });
  });

  it('of billing an entry is at most 6 round trips and 30 write units, and then its state one small read', async () => {
    const client = await given.client(ana);
    const entry = await given.entry(ana, { clientId: client.id, rate: 100, entryDate: '2024-06-01' });
    const timeEntries = { dateFrom: '2024-06-01', dateTo: '2024-06-30', groupBy: 'project' };
    const cost = await measure('bill an entry', async () =>
      expect((await invoke(createInvoice, ana, { body: { clientId: client.id, timeEntries } })).status).toBe(201),
    );
    expect(cost.roundTrips).toBeLessThanOrEqual(6);
    expect(cost.writeUnits).toBeLessThanOrEqual(30);
    const read = () => invoke(getEntry, ana, { params: { id: entry.id } });
    const reading = await measure('get an invoiced entry', async () =>
      expect((await read()).data.billingStatus).toBe('invoiced'),
    );
    expect(reading).toMatchObject({ roundTrips: 2, readUnits: 3 });
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
    async (name, { projectId, clientId, ...query }: Record<string, string>, mostCalls) => {
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
        const cost = await measure(`list ${name} of ${limit}`, read);
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
  ])('of a summary of %s is at most 2 round trips and 100 read units', async (name, query, mostCalls) => {
    const read = async () =>
      expect((await invoke(summarizeEntries, ana, { query })).data.byProject.length).toBeGreaterThanOrEqual(50);
    await read();
    const cost = await measure(`summary of ${name}`, read);
    expect(cost.calls).toBeLessThanOrEqual(mostCalls);
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
    expect(cost.readUnits).toBeLessThanOrEqual(100);
  });

  it('of searching a month is at most 40 calls, and of billing a month of a client at most 60', async () => {
    const search = async () =>
      expect((await invoke(listEntries, ana, { query: { ...MONTH, q: 'item 199' } })).meta.total).toBeGreaterThan(0);
    await search();
    const searching = await measure('search a month', search);
    expect(searching.calls).toBeLessThanOrEqual(40);
    expect(searching.roundTrips).toBeLessThanOrEqual(4);
    const body = { clientId: clients[1]?.id, timeEntries: { ...MONTH, groupBy: 'project' } };
    const billing = await measure('bill a month of a client', async () =>
      expect((await invoke(createInvoice, ana, { body })).status).toBe(201),
    );
    expect(billing.calls).toBeLessThanOrEqual(60);
  });
});

describe('a team of fifty', () => {
  const USERS = 50;
  const WEEK = { dateFrom: '2026-03-02', dateTo: '2026-03-08' };

  it('lists the week of one user in at most 8 reads, in two steps, and under 60 read units', async () => {
    const eve = await given.user();
    const userIds = [eve.userId, ...Array.from({ length: USERS - 1 }, () => uuidV7())];
    const owner = { organizationId: eve.organization.id, userId: eve.userId };
    await seed({ ...owner, entries: USERS * 5, days: 5, projects: 5, userIds, until: '2026-03-07' });
    const read = async () => {
      const { meta } = await invoke(listEntries, eve, { query: { ...WEEK, userId: eve.userId } });
      expect(meta.total).toBe(5);
    };
    await read();
    const cost = await costOf(read);
    expect(cost.calls).toBeLessThanOrEqual(8);
    expect(cost.roundTrips).toBe(2);
    expect(cost.readUnits).toBeLessThan(60);
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
      await insertClient(newClient({ name: `Client ${i}` }, cleo.organization.id, uuidV7(), new Date()));
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

  it('of clients read the rows between a page and the nearer end beside the page', async () => {
    const read = async (offset: number) => {
      const { data } = await invoke(listClients, cleo, { query: { offset: `${offset}` } });
      const newest = CLIENTS - 1 - offset + 5;
      expect(data[0].name).toBe(offset < 5 ? 'Northwind Traders' : `Client ${newest}`);
    };
    const [first, early, middle, last] = [
      await costOf(() => read(0)),
      await costOf(() => read(75)),
      await costOf(() => read(150)),
      await costOf(() => read(280)),
    ];
    const page = first.readUnits;
    expect(page).toBeLessThanOrEqual(12);
    expect(early.readUnits).toBeLessThanOrEqual(3 * page + 1);
    expect(middle.readUnits).toBeLessThanOrEqual(4 * page + 1);
    expect(last.readUnits).toBeLessThanOrEqual(page + 2);
    expect(last).toMatchObject({ calls: 3, roundTrips: 3 });
  });
});

describe('filters of invoices', () => {
  const INVOICES = 240;

  let dan: User;

  beforeAll(async () => {
    dan = await given.user();
    const { id } = dan.organization;
    const start = Date.parse('2026-01-01T00:00:00.000Z');
    await storeInvoices(
      id,
      Array.from({ length: INVOICES }, (_, i) => makeInvoice(id, i, start + i * 1_000)),
    );
  });

  /** Of sent invoices alone: drafts would be read with their organization and clients. */
  async function costBy(query: Record<string, string>) {
    const read = () => invoke(listInvoices, dan, { query: { status: 'sent', ...query } });
    const { calls, readUnits } = await costOf(async () => expect((await read()).status).toBe(200));
    return { calls, readUnits };
  }

  const FILTERS: readonly Record<string, string>[] = [
    {},
    { overdue: 'true' },
    { dueFrom: '2027-11-05', dueTo: '2027-11-08' },
    { issueFrom: '2026-11-10', issueTo: '2026-11-11' },
    { overdue: 'false', issueTo: '2026-11-11' },
  ];

  it.each(FILTERS)('read all lean rows and the invoices of the page, whatever page is wanted: %j', async (filter) => {
    const byCursor = { ...filter, pagination: 'cursor', first: '5' };
    // The organization, which tells what day it is.
    const before = 'overdue' in filter ? 1 : 0;
    // Nothing is overdue yet.
    const found = filter.overdue === 'true' ? 0 : 5;
    const all = { calls: before + (found > 0 ? 2 : 1), readUnits: before + 11 + found };
    expect(await costBy({ ...filter, limit: '5' })).toEqual(all);
    expect(await costBy({ ...filter, limit: '5', offset: '5' })).toEqual(all);
    expect(await costBy(byCursor)).toEqual(all);
    // An index is read at half the price, but its rows also have the keys of the order.
    expect(await costBy({ ...byCursor, orderBy: 'total' })).toEqual({ ...all, readUnits: before + 9.5 + found });
  });

  it('read what a range of dates holds in the order of these dates', async () => {
    const byCursor = { pagination: 'cursor', first: '10' };
    const due = { dueFrom: '2027-11-05', dueTo: '2027-11-08' };
    expect(await costBy({ ...byCursor, ...due, orderBy: 'dueDate' })).toEqual({ calls: 2, readUnits: 11 });
    const issued = { issueFrom: '2026-11-10', issueTo: '2026-11-11' };
    expect(await costBy({ ...byCursor, ...issued, orderBy: 'issueDate' })).toEqual({ calls: 2, readUnits: 11 });
  });
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

  const PAGES: readonly [string, Record<string, string>, roundTrips: number, readUnits: number][] = [
    ['of a status', { status: 'sent' }, 3, 540],
    ['of a status, deep', { status: 'sent', offset: '5000' }, 3, 540],
    ['of a status by cursor', { status: 'sent', pagination: 'cursor' }, 3, 540],
    ['of a status by cursor and total', { status: 'sent', pagination: 'cursor', orderBy: 'total' }, 4, 490],
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

describe('a crowded day', () => {
  const CROWDED_DAY = '2025-06-02';
  const PROJECTS = 50;
  const CLIENTS = 10;
  const CELLS = PROJECTS * CLIENTS;

  /** An entry with two pages and a project of its own takes five items, and all of them share the calendar's. */
  const CELLS_PER_TRANSACTION = 19;

  let bea: User;
  const clients: Json[] = [];
  const projects: Json[] = [];

  /** Fills the day with entries of which each is a cell of its own. */
  beforeAll(async () => {
    bea = await given.user();
    while (projects.length < PROJECTS) projects.push(await given.project(bea));
    while (clients.length < CLIENTS) clients.push(await given.client(bea));
    const owner = { organizationId: bea.organization.id, userId: bea.userId, currency: 'USD' };
    const entries = clients.flatMap(({ id: clientId }) =>
      projects.map((project) => {
        const draft = { description: 'Work', durationMinutes: 30, entryDate: CROWDED_DAY, billable: true, clientId };
        return newEntry(draft, { ...project, defaultRate: null }, owner, uuidV7(), new Date());
      }),
    );
    for (const batch of batchesOf(entries, CELLS_PER_TRANSACTION)) {
      await writeEntries(
        bea.organization.id,
        batch.map((after) => ({ before: null, after })),
      );
    }
  });

  it('of 500 cells takes at most 5 round trips and 8 calls for a page, 5 of a client and 25 of a project', async () => {
    const list = (query: Record<string, string>) => async () =>
      expect((await invoke(listEntries, bea, { query: { ...query, limit: '100' } })).data.length).toBeGreaterThan(1);
    const queries: [Record<string, string>, number][] = [
      [{}, 8],
      [{ offset: `${CELLS / 2}` }, 8],
      [{ offset: `${CELLS - 100}` }, 8],
      // A page of the ledger and a piece of the day for each client: a unit each, where the whole day has 60.
      [{ projectId: projects[0]?.id ?? '' }, 25],
      [{ clientId: clients[0]?.id ?? '' }, 5],
    ];
    await list({})();
    for (const [query, most] of queries) {
      const cost = await costOf(list(query));
      expect(cost.calls, JSON.stringify(query)).toBeLessThanOrEqual(most);
      expect(cost.roundTrips, JSON.stringify(query)).toBeLessThanOrEqual(5);
    }
  });
});
