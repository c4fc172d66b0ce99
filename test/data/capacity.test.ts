import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#scripts/bench/seed.ts';
import {
  createEntry,
  deleteEntry,
  getEntry,
  listEntries,
  summarizeEntries,
  updateEntry,
} from '#shared/contract/entries.ts';
import { createInvoice, getInvoice } from '#shared/contract/invoices.ts';
import { getProduct } from '#shared/contract/products.ts';
import { getProject } from '#shared/contract/projects.ts';
import type { Project } from '#shared/domain/project.ts';
import { type Cost, costOf } from '#test/support/capacity.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * What the design allows each operation to cost, with 100,000 entries over 365 days and 10 projects. The ledger has them all; the entries
 * themselves, which take long to write, are there in the days that pages are read from. `npm run bench -- growth` measures up to 1,000,000, all of
 * them there (`scripts/bench/REPORT.md`).
 */

const ENTRIES = 100_000;
const YEAR = { dateFrom: '2025-01-01', dateTo: '2025-12-31' };

/** First and last days. A page that met another would find less than the ledger promises, and read it again and again. */
const OPENED = [
  ['2025-01-01', '2025-01-03'],
  ['2025-04-18', '2025-04-22'],
  ['2025-05-16', '2025-05-19'],
  ['2025-06-29', '2025-07-04'],
  ['2025-08-22', '2025-09-15'],
  ['2025-09-29', '2025-10-03'],
  ['2025-12-29', '2025-12-31'],
] as const;

const isOpened = (date: string) => OPENED.some(([first, last]) => first <= date && date <= last);

describe('capacity', () => {
  let ana: User;
  let projects: Project[];
  const costs: Record<string, Cost> = {};

  async function measure(name: string, operation: () => Promise<unknown>): Promise<Cost> {
    const cost = await costOf(operation);
    costs[name] = cost;
    return cost;
  }

  beforeAll(async () => {
    ana = await given.user({ rateLimit: 1_000 });
    projects = await seed({
      organizationId: ana.organization.id,
      userId: ana.userId,
      entries: ENTRIES,
      days: 365,
      projects: 10,
      until: '2026-01-01',
      isOpened,
    });
  }, 120_000);

  afterAll(() => console.table(costs));

  it('of authentication and rate limit is at most 0.1 write units a request', async () => {
    const bea = await given.user({ rateLimit: 1_200 });
    const { id } = await given.product(bea);
    const REQUESTS = 1_000;
    const cost = await measure('1,000 requests of one function', async () => {
      for (let i = 0; i < REQUESTS; i++) expect((await invoke(getProduct, bea, { params: { id } })).status).toBe(200);
    });
    expect(cost.leaseWriteUnits / REQUESTS).toBeLessThanOrEqual(0.1);
    expect(cost.readUnits).toBe(REQUESTS);
  });

  it('of one product, project or invoice is one round trip and one read unit', async () => {
    const product = await given.product(ana);
    const invoice = await given.invoice(ana);
    const reads = [
      () => invoke(getInvoice, ana, { params: { id: invoice.id } }),
      () => invoke(getProduct, ana, { params: { id: product.id } }),
      () => invoke(getProject, ana, { params: { id: projects[0]?.id ?? '' } }),
    ];
    for (const read of reads) {
      const cost = await measure('get one', async () => expect((await read()).status).toBe(200));
      expect(cost).toMatchObject({ roundTrips: 1, readUnits: 1 });
    }
  });

  it('of an entry without links is one read unit, and a second round trip looks after its links', async () => {
    const bare = await given.entry(ana, { entryDate: '2026-06-01' });
    const linked = await given.entry(ana, { entryDate: '2026-06-01', projectId: projects[0]?.id });
    const read = (id: string) => invoke(getEntry, ana, { params: { id } });
    expect(await measure('get a bare entry', () => read(bare.id))).toMatchObject({ roundTrips: 1, readUnits: 1 });
    expect(await measure('get a linked entry', () => read(linked.id))).toMatchObject({ roundTrips: 2, readUnits: 2 });
  });

  it('of creating an entry in a project, with a client or without, is at most 2 round trips and 10 write units', async () => {
    const client = await given.client(ana);
    const ofClient = await given.project(ana, { clientId: client.id });
    for (const projectId of [projects[1]?.id, ofClient.id]) {
      const body = { description: 'Work', durationMinutes: 60, entryDate: '2026-06-01', projectId };
      const cost = await measure('create an entry in a project', async () =>
        expect((await invoke(createEntry, ana, { body })).status).toBe(201),
      );
      expect(cost.roundTrips).toBeLessThanOrEqual(2);
      expect(cost.writeUnits).toBeLessThanOrEqual(10);
    }
  });

  it('of changing an entry is 4 round trips, and of deleting it 2', async () => {
    const { id } = await given.entry(ana, { entryDate: '2026-06-01', projectId: projects[0]?.id });
    const change = { params: { id }, body: { description: 'Other work' } };
    const changing = await measure('change an entry', async () =>
      expect((await invoke(updateEntry, ana, change)).status).toBe(200),
    );
    expect(changing).toMatchObject({ roundTrips: 4 });
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
    ['the first page', {}],
    ['a page in the middle', { offset: '50000' }],
    ['the last page', { offset: '99950' }],
    ['a page of one project', { offset: '5000', projectId: 'first' }],
    ['a page of what is not billable', { offset: '2500', billable: 'false' }],
    ['a page of what is not billable in one project', { offset: '300', billable: 'false', projectId: 'first' }],
    ['a page of a quarter', { dateFrom: '2025-04-01', dateTo: '2025-06-30', offset: '12000' }],
    ['a page of a source', { source: 'native_tracker', offset: '70000' }],
  ])(
    'of %s is at most 4 round trips and 120 read units',
    async (name, { projectId, ...query }: Record<string, string>) => {
      const filter = { ...YEAR, ...query, ...(projectId && { projectId: projects[0]?.id ?? '' }) };
      const read = () => invoke(listEntries, ana, { query: filter });
      const cost = await measure(`list ${name}`, async () => expect((await read()).data).toHaveLength(50));
      expect(cost.roundTrips).toBeLessThanOrEqual(4);
      expect(cost.readUnits).toBeLessThanOrEqual(120);
    },
  );

  it('of a list of all time of ten years is at most 4 round trips and 120 read units', async () => {
    const bea = await given.user();
    const isEndOfYear = (date: string) => date > '2025-10-15';
    await seed({
      organizationId: bea.organization.id,
      userId: bea.userId,
      entries: 10_000,
      days: 3_650,
      projects: 10,
      until: '2026-01-01',
      isOpened: isEndOfYear,
    });
    const read = () => invoke(listEntries, bea, { query: {} });
    const cost = await measure('list of ten years', async () => expect((await read()).meta.total).toBe(10_000));
    expect(cost.roundTrips).toBeLessThanOrEqual(4);
    expect(cost.readUnits).toBeLessThanOrEqual(120);
  });

  it('of a summary of the year is at most 2 round trips and 100 read units', async () => {
    const read = () => invoke(summarizeEntries, ana, { query: YEAR });
    const cost = await measure('summary of a year', async () => expect((await read()).data.byProject).toHaveLength(10));
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
    expect(cost.readUnits).toBeLessThanOrEqual(100);
  });
});
