import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { beforeAll, expect, it, vi } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { calendarKey, kindOf } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { boundOfScan, countPage, type RangeFilter } from '#shared/data/tracker/entry-counts.ts';
import { type EntryChange, ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { readSummaryCells } from '#shared/data/tracker/summary-cells.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import type { Grouping } from '#shared/domain/tracker/summary-groups.ts';
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

/** The kinds of sums that are read, each with the first and the last attribute that is asked for. */
async function askedBy(read: () => Promise<unknown>): Promise<string[]> {
  const send = vi.spyOn(database, 'send');
  await read();
  const asked = send.mock.calls.flatMap(([command]) => {
    if (!(command instanceof QueryCommand)) return [];
    const { ProjectionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = command.input;
    const names = ProjectionExpression?.split(', ').map((name) => ExpressionAttributeNames?.[name]);
    const partition = ExpressionAttributeValues?.[':partition'];
    return names && partition ? `${kindOf(partition)} ${names[1]}-${names.at(-1)}` : [];
  });
  send.mockRestore();
  return [...new Set(asked)].toSorted();
}

const page = { offset: 0, limit: 1 };

it.each<[string, () => RangeFilter, string[]]>([
  ['all entries', () => ({}), ['CALENDAR e-e']],
  ['what is billable', () => ({ billable: true }), ['LEDGER e01-e31', 'LEDGER_YEAR e01-e12']],
  ['a client', () => ({ clientId: client.id }), ['CALENDAR e-e', 'LEDGER e01-e31']],
  ['a project', () => ({ projectId: project.id }), ['CALENDAR e-e', 'LEDGER e01-e31', 'LEDGER_YEAR e01-e12']],
  [
    "a project's week",
    () => ({ projectId: project.id, from: '2025-06-16', to: '2025-06-22' }),
    ['LEDGER e16-e22', 'LEDGER_YEAR e06-e06'],
  ],
])('a list asks of sums for numbers of entries alone: %s', async (_, filter, expected) => {
  const { id } = ana.organization;
  expect(await askedBy(() => countPage(id, filter(), page, boundOfScan()))).toEqual(expected);
});

it('a list asks for the numbers of the crowded day alone on which its page lies', async () => {
  const eve = await given.user();
  const { id } = eve.organization;
  await bookEntries(eve, null, 16, ['2026-03-10']);
  await transact([increase(calendarKey(id, '2026-03'), { e: 2_000, e10: 2_000 })]);
  expect(await askedBy(() => countPage(id, {}, page, boundOfScan()))).toEqual(['CALENDAR e-e', 'LEDGER e10-e10']);
});

it.each<[string, string, readonly Grouping[], string]>([
  ['2025-06-16', '2025-06-22', ['day'], 'LEDGER m16-b22'],
  ['2025-06-01', '2025-06-30', ['month'], 'LEDGER m-b'],
  ['2025-05-01', '2025-06-30', ['month'], 'LEDGER_YEAR m05-b06'],
  ['2025-06-01', '2025-06-30', [], 'LEDGER_YEAR m06-b06'],
  ['2024-01-01', '2025-12-31', [], 'LEDGER_YEAR m-b'],
])(
  'a summary from %s to %s by %j asks for sums that are as coarse, and for no others',
  async (from, to, by, expected) => {
    const { id } = ana.organization;
    const read = () => readSummaryCells(id, { from, to, groupBy: by }, readDirectory(id));
    expect(await read()).not.toEqual([]);
    expect(await askedBy(read)).toEqual([expected]);
  },
);
