import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { calendarKey, sortKeyRange } from '#shared/data/layout/keys.ts';
import { searchBound } from '#shared/data/table/collection.ts';
import { database } from '#shared/data/table/database.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { countPage } from '#shared/data/tracker/entry-counts.ts';
import { readEntryList } from '#shared/data/tracker/entry-list.ts';
import { readDaySums, readDaysOfCells } from '#shared/data/tracker/ledger-reading.ts';
import { costOf } from '#test/support/capacity.ts';
import { betweenCalls } from '#test/support/interleaving.ts';

/** Nobody writes so many entries for a test: here the calendar alone counts them. */
async function listOfADay(entries: number, filter: Parameters<typeof readEntryList>[1]) {
  const organizationId = randomUUID();
  await transact([increase(calendarKey(organizationId, '2026-11'), { e: entries, e05: entries })]);
  return readEntryList(organizationId, filter, { offset: 0, limit: 1 });
}

it.each([
  ['a search', { q: 'x' }, 'dateFrom', /^The range holds 50001 entries, and a request reads 50000: ask for a narrower/],
  ['a page of a day that is read whole', {}, 'offset', /more than the 50000 entries that a request reads: ask for one/],
])('%s reads 50,000 entries, and no more', async (_, filter, path, message) => {
  await expect(listOfADay(50_000, filter)).resolves.toMatchObject({ items: [] });
  const errors = [{ path, message: expect.stringMatching(message) }];
  const refused = { code: 'range_too_large', details: { errors } };
  await expect(listOfADay(50_001, filter)).rejects.toMatchObject(refused);
});

const twoDigits = (number: number) => String(number).padStart(2, '0');
const DAYS = Array.from({ length: 28 }, (_, day) => [`e${twoDigits(day + 1)}`, 1] as const);

/** An organization whose calendar has an entry on each of the first 28 days of some months of 2026. */
async function busyMonths(months: number): Promise<string> {
  const organizationId = randomUUID();
  const keys = Array.from({ length: months }, (_, month) =>
    calendarKey(organizationId, `2026-${twoDigits(month + 1)}`),
  );
  await transact(keys.map((key) => increase(key, { e: 28, ...Object.fromEntries(DAYS) })));
  return organizationId;
}

/** Answers queries with nothing that have a value of such a name, and counts them. @param units that each takes */
function answerNothing(name: string, units = 0) {
  const queries = { reads: 0, atOnce: 0 };
  let underWay = 0;
  betweenCalls(async (command, send) => {
    if (!(command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[name])) return send(command);
    underWay += 1;
    queries.reads += 1;
    queries.atOnce = Math.max(queries.atOnce, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return { Items: [], ConsumedCapacity: { CapacityUnits: units } };
  });
  return queries;
}

it.each([
  ['a page', {}, 200],
  ['a list of a user', { userId: randomUUID() }, 32],
])('days that never agree with their counts are read five times, and some at once: %s', async (_, filter, atOnce) => {
  const organizationId = await busyMonths(8);
  const queries = answerNothing(':day');
  await readEntryList(organizationId, filter, { offset: 0, limit: 224 });
  expect(queries).toEqual({ reads: 5 * 224, atOnce });
});

it.each([
  [12_500, { total: 3_000 }],
  [12_501, { code: 'range_too_large' }],
])('a crowded day is looked into and read to 100 MB together: twice %i units', async (units, expected) => {
  answerNothing(':day', units);
  expect(await listOfADay(3_000, {}).catch((error: unknown) => error)).toMatchObject(expected);
});

it('a day that is read from one end is counted again alone', async () => {
  const send = vi.spyOn(database, 'send');
  await listOfADay(3_000, {});
  const { input = {} } = send.mock.lastCall?.[0] ?? {};
  const { from, to } = sortKeyRange('2026-11');
  expect(input).toMatchObject({ ExpressionAttributeValues: { ':from': from, ':to': to } });
});

it('months of the ledger are read 100 at once', async () => {
  const queries = answerNothing(':from');
  const months = Array.from({ length: 101 }, (_, month) => ({ period: `${2_000 + month}-01`, entries: 1 }));
  await readDaysOfCells(randomUUID(), months, {});
  expect(queries).toEqual({ reads: 101, atOnce: 100 });
});

it.each([
  [40, 40],
  [41, 1],
])('a month of a project for %i clients is read in %i queries', async (clients, reads) => {
  const queries = answerNothing(':from');
  const cells = Array.from({ length: clients }, (_, client) => ({
    period: '2026-11',
    entries: 1,
    dimensions: { clientId: `${client}`, projectId: 'one', source: 'import', billable: true },
  }));
  await readDaysOfCells(randomUUID(), cells, {});
  expect(queries.reads).toBe(reads);
});

it.each([
  ['2026-04-30', 1],
  ['2026-05-31', 2],
])('a page of some months until %s is counted in %i trips', async (to, calls) => {
  const organizationId = await busyMonths(8);
  const window = { offset: 0, limit: 10 };
  const cost = await costOf(() => countPage(organizationId, { from: '2026-02-01', to }, window, searchBound()));
  expect(cost).toMatchObject({ calls, roundTrips: calls });
});

/** Two of the months have entries of anybody. */
it.each([
  ['2026-03-31', { calls: 3, roundTrips: 1 }, { calls: 3, roundTrips: 1 }],
  ['2026-04-30', { calls: 3, roundTrips: 2 }, { calls: 2, roundTrips: 2 }],
])(
  'months of a client, or of its project, until %s are each looked into where they are few: %o, %o',
  async (to, ...expected) => {
    const organizationId = await busyMonths(2);
    const ofClient = { clientId: randomUUID() };
    const filters = [ofClient, { ...ofClient, projectId: randomUUID() }];
    for (const [position, filter] of filters.entries()) {
      const cost = await costOf(() => readDaySums(organizationId, { from: '2026-01-01', to }, { filter }));
      expect(cost).toMatchObject(expected[position] ?? {});
    }
  },
);
