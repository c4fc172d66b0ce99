import { v7 as uuidV7 } from 'uuid';
import { beforeAll, expect, it, vi } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { ledgerMonthPartition, ledgerYearPartition } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { type EntryChange, ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { readSummaryCells } from '#shared/data/tracker/summary-cells.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/** Lists of an organization with work for 200 other clients in every month of two years. */

const OTHERS = 200;
const YEARS = ['2024', '2025'];
const MONTHS = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'));
const OWN_DATES = ['2024-03-05', '2025-06-03', '2025-06-17'];
const WEEK = { dateFrom: '2025-06-16', dateTo: '2025-06-22' };

let ana: User;
let client: Json;
let project: Json;

beforeAll(async () => {
  ana = await given.user();
  client = await given.client(ana);
  project = await given.project(ana, { clientId: client.id });
  await bookEntries(ana, project, 30, OWN_DATES);
  const writes = ledgerUpdates(Array.from({ length: OTHERS }, () => uuidV7()).flatMap(worksFor));
  await mapInParallel(batchesOf(writes, 100), (some) => transact([...some]), 3);
  await invoke(listEntries, ana, { query: { dateFrom: OWN_DATES[0] ?? '', dateTo: OWN_DATES[0] ?? '' } });
}, 120_000);

function worksFor(clientId: string): EntryChange[] {
  const owner = { organizationId: ana.organization.id, userId: ana.userId, currency: 'USD' };
  const draft = { description: 'Work', durationMinutes: 60, billable: true, rate: '100', clientId };
  return YEARS.flatMap((year) =>
    MONTHS.map((month) => ({
      before: null,
      after: newEntry({ ...draft, entryDate: `${year}-${month}-10` }, null, owner, clientId, new Date()),
    })),
  );
}

const listOf = (query: Record<string, string>) => async () => {
  const { meta } = await invoke(listEntries, ana, { query: { ...query, limit: '5' } });
  expect(meta.total).toBe(WEEK.dateFrom === query.dateFrom ? 10 : 30);
};

it.each<[string, () => Record<string, string>, Json]>([
  ['a project', () => ({ projectId: project.id }), { calls: 6, readUnits: 7, roundTrips: 4 }],
  ['a project of a client', () => ({ projectId: project.id, clientId: client.id }), { calls: 6, readUnits: 7 }],
  ["a project's week", () => ({ projectId: project.id, ...WEEK }), { calls: 4, readUnits: 5, roundTrips: 3 }],
])('a list reads no pages of others: %s', async (_, query, cost) => {
  expect(await costOf(listOf(query()))).toMatchObject(cost);
});

it('a summary of one month by months reads no pages of years', async () => {
  const month = { from: '2025-06-01', to: '2025-06-30', groupBy: ['month'] } as const;
  const directory = readDirectory(ana.organization.id);
  const send = vi.spyOn(database, 'send');
  expect(await readSummaryCells(ana.organization.id, month, directory)).not.toEqual([]);
  const inputs = JSON.stringify(send.mock.calls.map(([{ input }]) => input));
  expect(inputs).toContain(ledgerMonthPartition(ana.organization.id));
  expect(inputs).not.toContain(ledgerYearPartition(ana.organization.id));
  send.mockRestore();
});
