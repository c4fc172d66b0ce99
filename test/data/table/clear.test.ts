import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { clear } from '#shared/data/table/clear.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { database } from '#shared/data/table/database.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { put, unread } from '#shared/data/table/writes.ts';

async function partitionOf(items: number): Promise<string> {
  const partition = `CLEAR#${randomUUID()}`;
  const puts = Array.from({ length: items }, (_, i) => put({ pk: partition, sk: `${i}` }, unread));
  for (const batch of batchesOf(puts, 100)) await transact(batch);
  return partition;
}

const itemsIn = async (partition: string) => (await readCollection({ partition })).length;

const so = (often: number) => () => often-- > 0;

it('a clearing looks at the time before each hundred items, and another one goes on where it stopped', async () => {
  const partition = await partitionOf(201);
  for (const left of [101, 1]) {
    expect(await clear([{ partition }], so(1))).toBe(false);
    expect(await itemsIn(partition)).toBe(left);
  }
  expect(await clear([{ partition }], so(1))).toBe(true);
  expect(await itemsIn(partition)).toBe(0);
});

it('a clearing goes on behind what it has deleted', async () => {
  const partition = await partitionOf(101);
  const send = vi.spyOn(database, 'send');
  expect(await clear([{ partition }], so(2))).toBe(true);
  const starts = send.mock.calls.flatMap(([command]) =>
    command instanceof QueryCommand ? [command.input.ExclusiveStartKey] : [],
  );
  send.mockRestore();
  expect(starts).toEqual([undefined, { pk: partition, sk: expect.any(String) }]);
});

it('an item stays where the time is over before all is cleared that it leads to', async () => {
  const [partition, other] = [await partitionOf(1), await partitionOf(101)];
  const clearing = { partition, leadsTo: () => ({ partitions: [{ partition: other }] }) };
  expect(await clear([clearing], so(2))).toBe(false);
  expect([await itemsIn(partition), await itemsIn(other)]).toEqual([1, 1]);
  expect(await clear([clearing], so(2))).toBe(true);
  expect([await itemsIn(partition), await itemsIn(other)]).toEqual([0, 0]);
});
