import { v7 as uuidV7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import { bookOnDays } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * The largest import that a confirm takes, all on one day, and every row a cell of its own: 10 projects for 10 clients
 * in 50 currencies, billable or not. It may make neither lists nor summaries of its organization fail.
 */

const DAY = '2026-03-10';
const PROJECTS = 10;
const CLIENTS = 10;
const CURRENCIES = Intl.supportedValuesOf('currency').slice(0, 50);
const CELLS = PROJECTS * CLIENTS * CURRENCIES.length * 2;

let ana: User;
const projects: Json[] = [];
const clients: Json[] = [];

beforeAll(async () => {
  ana = await given.user({ rateLimit: 1_000 });
  while (projects.length < PROJECTS) projects.push(await given.project(ana));
  while (clients.length < CLIENTS) clients.push(await given.client(ana));
  await bookOnDays(entries());
}, 240_000);

function entries(): Entry[] {
  const owner = { organizationId: ana.organization.id, userId: ana.userId, currency: 'USD' };
  const now = new Date();
  return projects.flatMap((project) =>
    clients.flatMap(({ id: clientId }) =>
      CURRENCIES.flatMap((currency) =>
        [true, false].map((billable) => {
          const draft = { description: 'Work', durationMinutes: 30, entryDate: DAY, rate: '60', currency, billable };
          return newEntry({ ...draft, clientId }, { ...project, defaultRate: null }, owner, uuidV7(), now);
        }),
      ),
    ),
  );
}

/** Expects that an operation costs at most so many calls and read units. */
async function expectCost(operation: () => Promise<void>, most: { calls: number; readUnits: number }) {
  const { calls, readUnits } = await costOf(operation);
  expect(calls).toBeLessThanOrEqual(most.calls);
  expect(readUnits).toBeLessThanOrEqual(most.readUnits);
}

describe(`a day of ${CELLS.toLocaleString('en')} cells`, () => {
  it.each([
    ['first page', {}, CELLS, { calls: 220, readUnits: 900 }],
    ['end', { offset: '9800' }, CELLS, { calls: 220, readUnits: 900 }],
    ['project', { projectId: '' }, CELLS / PROJECTS, { calls: 24, readUnits: 1_900 }],
    ['client, day', { clientId: '', dateFrom: DAY, dateTo: DAY }, CELLS / CLIENTS, { calls: 7, readUnits: 250 }],
    ['billable', { billable: 'true' }, CELLS / 2, { calls: 250, readUnits: 2_000 }],
  ])('is listed: %s', async (_, wanted, total, most) => {
    const query = {
      ...wanted,
      limit: '200',
      ...('projectId' in wanted && { projectId: projects[0]?.id }),
      ...('clientId' in wanted && { clientId: clients[0]?.id }),
    };
    const list = async () => {
      const { status, data, meta } = await invoke(listEntries, ana, { query });
      expect({ status, shown: data.length, total: meta.total }).toEqual({ status: 200, shown: 200, total });
    };
    await expectCost(list, most);
  });

  it.each([
    ['day', { dateFrom: DAY, dateTo: DAY }],
    ['month', { dateFrom: '2026-03-01', dateTo: '2026-03-31' }],
    ['year', { dateFrom: '2026-01-01', dateTo: '2026-12-31' }],
    ['some years', { dateFrom: '2020-02-02', dateTo: '2027-11-11' }],
  ])('is summed up: %s', async (_, query) => {
    const summarize = async () => {
      const { status, data } = await invoke(summarizeEntries, ana, { query });
      expect({ status, trackedMinutes: data.trackedMinutes, sums: data.byProject.length }).toEqual({
        status: 200,
        trackedMinutes: 30 * CELLS,
        sums: PROJECTS * CURRENCIES.length,
      });
    };
    await expectCost(summarize, { calls: 10, readUnits: 450 });
  });
});
