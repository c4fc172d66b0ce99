import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { deleteProject } from '#shared/contract/tracker/delete-project.ts';
import { getProject } from '#shared/contract/tracker/get-project.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import {
  connectionDueKey,
  directoryRowsKey,
  dueConnectionPartitions,
  dueImportPartitions,
  dueWebhookPartitions,
  importDueKey,
  lockKeys,
  productTextKey,
  productTextPrefixes,
  projectPartition,
  shardOf,
  webhookDueKey,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { joinShards } from '#shared/data/table/shards.ts';
import { check, IS_ABSENT } from '#shared/data/table/writes.ts';
import { readCalendarDays } from '#shared/data/tracker/calendar.ts';
import { readEntries, writeEntries } from '#shared/data/tracker/entries.ts';
import { readDaySums, readMonthSums } from '#shared/data/tracker/ledger-reading.ts';
import { stepAside } from '#shared/data/tracker/step-aside.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';
import { removeStoredEntry } from '#test/support/stored.ts';

const DATE = '2026-11-20';
const AT_ONCE = 40;

describe('what many book in one project at once', () => {
  it('is counted beside what is held, and read as one wherever it is shown', async () => {
    const { ana, organizationId, book, project } = await scene();
    const entries = await book(AT_ONCE);
    expect((await shardsOf(organizationId)).length).toBeGreaterThan(0);
    const calendar = () => readCalendarDays(organizationId, { from: DATE, to: DATE });

    const totals = { totalMinutes: AT_ONCE * 60, billableMinutes: AT_ONCE * 60 };
    expect((await project()).data).toMatchObject(totals);
    expect(await invoke(listProjects, ana)).toMatchObject({ data: [totals], meta: { total: 1 } });
    const active = await invoke(listProjects, ana, { query: { status: 'in_progress' } });
    expect(active).toMatchObject({ data: [totals], meta: { total: 1 } });
    expect(await readDaySums(organizationId, {})).toMatchObject([
      { period: DATE, entries: AT_ONCE, minutes: AT_ONCE * 60 },
    ]);
    const months = await readMonthSums(organizationId, { from: '2026-01', to: '2026-12' });
    expect(months).toMatchObject([{ period: '2026-11', entries: AT_ONCE, minutes: AT_ONCE * 60 }]);
    expect(await calendar()).toEqual([{ period: DATE, entries: AT_ONCE }]);
    expect((await invoke(listEntries, ana)).meta.total).toBe(AT_ONCE);
    for (const range of [
      { dateFrom: DATE, dateTo: DATE },
      { dateFrom: '2020-01-01', dateTo: '2029-12-31' },
    ]) {
      const { data } = await invoke(summarizeEntries, ana, { query: range });
      expect(data.byProject).toMatchObject([{ trackedMinutes: AT_ONCE * 60 }]);
    }

    const stored = await readEntries(organizationId, entries);
    await Promise.all(stored.map((entry) => removeStoredEntry(entry)));
    expect((await project()).data).toMatchObject({ totalMinutes: 0, billableMinutes: 0 });
    for (const figures of [undefined, ['e'] as const, ['m'] as const])
      expect(await readDaySums(organizationId, {}, { figures })).toEqual([]);
    expect(await calendar()).toEqual([]);
    const { data } = await invoke(summarizeEntries, ana, { query: { dateFrom: DATE, dateTo: DATE } });
    expect(data.byProject).toEqual([]);
  });

  it('goes with the project', async () => {
    const { ana, organizationId, book, id, project } = await scene();
    await book(AT_ONCE);
    expect((await invoke(deleteProject, ana, { params: { id } })).status).toBe(200);
    expect(await shardsOf(organizationId)).toEqual([]);
    expect((await project()).status).toBe(404);
  });
});

describe('stepping aside', () => {
  const update = (pk: string, sk: string) => ({
    Update: { Key: { pk, sk }, TableName: 't', UpdateExpression: 'x', ConditionExpression: 'attribute_exists(pk)' },
  });

  it('leaves every item alone that is no sum', () => {
    const ofOthers = [update('ORG#o#CLIENT', 'x'), check({ pk: 'ORG#o#CLIENT', sk: 'x' }, IS_ABSENT)];
    for (const item of [...ofOthers, { Put: { TableName: 't', Item: {} } }]) {
      expect(stepAside(item, 0.5)).toBe(item);
    }
  });

  it('takes a sum, or what is beside it already, to one beside it, without a condition', () => {
    for (const pk of ['ORG#o#CALENDAR', 'ORG#o#LEDGER', 'ORG#o#LEDGER_YEAR', 'ORG#o#PROJECT']) {
      for (const { sk } of [{ pk, sk: '2026-11#x' }, shardOf({ pk, sk: '2026-11#x' }, 3)]) {
        const { Update } = stepAside(update(pk, sk), 0.5);
        expect(Update?.Key).toEqual({ pk, sk: '2026-11#x~3' });
        expect(Update?.ConditionExpression).toBeUndefined();
      }
    }
  });

  it('takes the check of the lock to one of its equals, with its condition', () => {
    const [own, ...others] = lockKeys('o').map((Key) => check(Key, IS_ABSENT));
    expect([0, 0.25, 0.5, 0.99].map((draw) => own && stepAside(own, draw))).toEqual(others);
  });
});

it('adds shards up to the last digit, in whatever order they are read', () => {
  const amount = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  const part = fc.record({ page: fc.integer({ min: 1, max: 3 }), shard: fc.integer({ min: 0, max: 4 }), amount });
  const parts = fc.uniqueArray(part, { selector: ({ page, shard }) => `${page} ${shard}` });
  fc.assert(
    fc.property(parts, (drawn) => {
      const items = drawn.map(({ page, shard, amount: a }) => {
        const key = { pk: 'p', sk: `2026-1${page}` };
        return { ...(shard === 0 ? key : shardOf(key, shard)), a };
      });
      const sums = new Map<string, bigint>();
      for (const { page, amount: a } of drawn) sums.set(`2026-1${page}`, (sums.get(`2026-1${page}`) ?? 0n) + a);
      const joined = joinShards(items).map(({ sk, a }) => [sk, BigInt(String(a))] as const);
      expect(new Map(joined)).toEqual(sums);
    }),
  );
});

it('rows of which none is a shard are handed on as they are, and a shard may have sums that its item lacks', () => {
  const rows = [
    { sk: '2026-11#x', minutes: 1 },
    { sk: '2026-12#x', minutes: 2 },
  ];
  expect(joinShards(rows)).toBe(rows);
  const shard = { sk: '2026-11#x~2', minutes: 3, entries: 4 };
  expect(joinShards([...rows, shard])).toEqual([{ sk: '2026-11#x', minutes: 4, entries: 4 }, rows[1]]);
});

async function scene() {
  const ana = await given.user();
  const { id } = await given.project(ana);
  const organizationId = ana.organization.id;
  const owner = { organizationId, userId: ana.userId, currency: 'USD' };
  const draft = { description: 'Work', durationMinutes: 60, billable: true, entryDate: DATE };
  const terms = { id, clientId: null, defaultRate: null, currency: 'USD', billable: true };
  const book = async (count: number) => {
    const entries = Array.from({ length: count }, () => newEntry(draft, terms, owner, uuidV7(), new Date()));
    await Promise.all(entries.map((after) => writeEntries([{ before: null, after }])));
    return entries.map((entry) => entry.id);
  };
  return { ana, id, organizationId, book, project: () => invoke(getProject, ana, { params: { id } }) };
}

/** Shards of projects. */
async function shardsOf(organizationId: string) {
  const items = await readCollection({ partition: projectPartition(organizationId) });
  return items.filter(({ sk }) => String(sk).includes('~'));
}

it('organizations and rows are spread over all partitions and parts that are read of them', () => {
  const digits = [...'0123456789abcdef'];
  const ends = digits.flatMap((one) => digits.flatMap((two) => digits.map((three) => `${one}${two}${three}`)));
  const ids = ends.map((end) => `019aa2f4-8100-7e55-b3a4-2c1d0e9f8${end}`);
  const placesOf = (placeOf: (id: string) => string) => new Set(ids.map(placeOf));
  expect(placesOf((id) => connectionDueKey(id, '').duePk)).toEqual(new Set(dueConnectionPartitions));
  expect(placesOf((id) => importDueKey(id, id, '').duePk)).toEqual(new Set(dueImportPartitions));
  expect(placesOf((id) => webhookDueKey(id, id, '').duePk)).toEqual(new Set(dueWebhookPartitions));
  for (const all of [dueConnectionPartitions, dueImportPartitions, dueWebhookPartitions]) expect(all).toHaveLength(8);
  expect(placesOf((id) => productTextKey('acme', id).sk.slice(0, 2))).toEqual(new Set(productTextPrefixes));
  expect(productTextPrefixes).toHaveLength(16);
  expect(placesOf((id) => directoryRowsKey('acme', id).sk).size).toBe(256);
});
