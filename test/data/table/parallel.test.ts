import { describe, expect, it } from 'vitest';
import { attemptAll, batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';

const ITEMS = Array.from({ length: 100 }, (_, i) => i);

it.each([
  [[], []],
  [[1, 2, 3], [[1, 2, 3]]],
  [
    [1, 2, 3, 4],
    [[1, 2, 3], [4]],
  ],
])('batches of three are full but for the last: %j', (items, batches) => {
  expect(batchesOf(items, 3)).toEqual(batches);
});

describe('attempting something with each item', () => {
  it.each([
    [10, '10 of 100 have failed.'],
    [100, '1 of 100 have failed.'],
  ])('goes on to the last when each %ith fails, and fails at the end', async (every, message) => {
    const attempted: number[] = [];
    const outcome = attemptAll(ITEMS, async (item) => {
      attempted.push(item);
      if (item % every === 0) throw new Error(`no ${item}`);
    });
    const errors = ITEMS.filter((item) => item % every === 0).map((item) => new Error(`no ${item}`));
    await expect(outcome).rejects.toThrow(new AggregateError(errors, message));
    expect(attempted).toEqual(ITEMS);
  });
});

describe('mapping in parallel', () => {
  it.each([
    ['it may', 7],
    ['a connection pool keeps busy', undefined],
  ])('has as many calls under way as %s, and results in the order of the items', async (_, concurrency) => {
    let [running, most] = [0, 0];
    const map = async (item: number) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, item % 3));
      running -= 1;
      return item;
    };
    expect(await mapInParallel(ITEMS, map, concurrency)).toEqual(ITEMS);
    expect(most).toBe(concurrency ?? 32);
  });

  it('begins nothing more once a call has failed, and fails as the first one', async () => {
    const begun: number[] = [];
    const map = async (item: number) => {
      begun.push(item);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (item >= 10) throw new Error(`no ${item}`);
    };
    await expect(mapInParallel(ITEMS, map, 7)).rejects.toThrow('no 10');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(begun.length).toBeLessThan(30);
  });
});
