import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { projectKey, projectPartition, shardOf } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { readConnection } from '#shared/data/table/relay-page.ts';
import { joinShards } from '#shared/data/table/shards.ts';
import { costOf } from '#test/support/capacity.ts';
import { putItems } from '#test/support/table-scan.ts';

/** Rows with shards at every third of them, some of which have outlived their row. */

const ROWS = 230;
const organizationId = randomUUID();
const partition = projectPartition(organizationId);
const idOf = (position: number) => `${String(position).padStart(8, '0')}-0000-7000-8000-000000000000`;

/** Newest first. */
const all = Array.from({ length: ROWS }, (_, i) => ROWS - 1 - i);

const rows = {
  partition,
  counted: { expression: 'attribute_exists(id)' },
  join: (items: Parameters<typeof joinShards>[0]) => joinShards(items).filter(({ id }) => id !== undefined),
};

const amountOf = (position: number): number => (position % 3 === 0 ? 3 : 1);

beforeAll(async () => {
  const items = all.flatMap((position) => {
    const key = projectKey(organizationId, idOf(position));
    const shards = position % 3 === 0 ? [1, 2].map((shard) => ({ ...shardOf(key, shard), amount: 1 })) : [];
    const orphan = { ...shardOf(projectKey(organizationId, `${idOf(position).slice(0, -1)}1`), 1), amount: 9 };
    const row = { ...key, id: idOf(position), position, isEven: position % 2 === 0, amount: 1 };
    return [row, ...shards, ...(position % 7 === 0 ? [orphan] : [])];
  });
  await putItems(items);
}, 60_000);

describe('pages by offset', () => {
  it.each([1, 9, 60, 150])('of %d rows are slices of the list, with the shards of their rows', async (limit) => {
    for (let offset = 0; offset < ROWS + limit; offset += limit === 1 ? 13 : limit) {
      const page = await readPage({ ...rows, limit, offset, total: async () => ROWS }, (item) => [
        item.position,
        item.amount,
      ]);
      const expected = all.slice(offset, offset + limit).map((position) => [position, amountOf(position)]);
      expect(page).toEqual({ items: expected, total: ROWS });
    }
  });

  it.each([1, ROWS])('behind %d rows are empty by their number alone', async (offset) => {
    const cost = await costOf(() => readPage({ ...rows, limit: 10, offset, total: async () => offset }, String));
    expect(cost.calls).toBe(0);
  });

  it.each([
    [90, 1],
    [91, 2],
  ])('of ten rows behind %i are found in %i requests', async (offset, calls) => {
    const cost = await costOf(() => readPage({ partition, limit: 10, offset, total: async () => ROWS }, String));
    expect(cost.calls).toBe(calls);
  });

  it('of a filter are read no further than to the last match, where their number is known', async () => {
    const filter = { expression: 'id = :newest', values: { ':newest': idOf(ROWS - 1) } };
    const page = { partition, filter, limit: 10, offset: 0, total: async () => 1 };
    expect((await costOf(() => readPage(page, String))).calls).toBe(1);
  });

  it('are empty where there are fewer rows than were counted before', async () => {
    const page = await readPage(
      { ...rows, limit: 10, offset: 240, total: async () => 600 },
      ({ position }) => position,
    );
    expect(page).toEqual({ items: [], total: 600 });
  });

  it('of a filter are slices of the matches, whether their number is known or not', async () => {
    const even = all.filter((position) => position % 2 === 0);
    const expression = 'isEven = :true OR attribute_not_exists(id)';
    const filter = { expression, values: { ':true': true } };
    for (const total of [undefined, async () => even.length]) {
      for (let offset = 0; offset <= even.length; offset += 23) {
        const page = await readPage({ ...rows, filter, limit: 10, offset, total }, ({ position }) => position);
        expect(page).toEqual({ items: even.slice(offset, offset + 10), total: even.length });
      }
    }
  });
});

it('a page by cursor reads one row more than it shows, and one before it, at once', async () => {
  const list = { partition, direction: 'desc', total: async () => ROWS } as const;
  const { pageInfo } = await readConnection(list, { first: 5 }, String);
  const send = vi.spyOn(database, 'send');
  const cost = await costOf(() => readConnection(list, { first: 5, after: pageInfo.endCursor ?? undefined }, String));
  const limits = send.mock.calls.map(([command]) => command instanceof QueryCommand && command.input.Limit);
  send.mockRestore();
  expect([limits, cost.roundTrips]).toEqual([[6, 1], 1]);
});
