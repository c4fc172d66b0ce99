import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it, vi } from 'vitest';
import { countBehind, readFeed } from '#shared/data/events/feed.ts';
import { feedKey, outboxPartition } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { DAY, follow, happen, itemsIn, later, numbersOf, objectsOf, upTo } from '#test/support/feeds.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';

/** Readers who meet others at each of their calls, or die there. */

/** More than a page has. */
const BACKLOG = 60;

const KNOWN = 5;

describe('a reader whom another one meets at any of its calls', () => {
  it.each([2, KNOWN])(
    'finds all that had happened before, whoever numbers it: from %i on',
    { timeout: 120_000 },
    async (after) => {
      const ids = Array.from({ length: 12 }, () => uuidV7());
      for (const [call, acme] of ids.entries()) {
        const seen = [...(await happen(acme, KNOWN, DAY))];
        await follow(acme, 0, 200, DAY);
        seen.push(...(await happen(acme, BACKLOG, later(0, 1))));
        const idle = Array.from({ length: call }, () => async () => {});
        beforeCalls(() => true, [...idle, () => follow(acme, 0, 200, later(0, 2))]);
        const followed = await follow(acme, after, 50, later(0, 2));
        vi.restoreAllMocks();
        expect(objectsOf(followed)).toEqual(seen.slice(after));
        expect(followed).toEqual(await follow(acme, after, 200, later(0, 2)));
      }
    },
  );
});

describe('a count that others meet at any of its calls', () => {
  it('has all that had happened before, whoever numbers it', { timeout: 120_000 }, async () => {
    const ids = Array.from({ length: 12 }, () => uuidV7());
    for (const [call, acme] of ids.entries()) {
      await happen(acme, KNOWN, DAY);
      await follow(acme, 0, 200, DAY);
      await happen(acme, BACKLOG, later(0, 1));
      const idle = Array.from({ length: call }, () => async () => {});
      const other = async () => {
        await follow(acme, 0, 200, later(0, 2));
        await happen(acme, 1, later(0, 3));
      };
      beforeCalls(() => true, [...idle, other]);
      const { counts } = await countBehind(acme, [0, 2, KNOWN, 50], later(0, 4));
      vi.restoreAllMocks();
      const others = [KNOWN + BACKLOG, KNOWN + BACKLOG + 1];
      for (const [after, count] of counts) expect(others).toContain((count?.['product.created'] ?? 0) + after);
    }
  });
});

it('a count is right where a reader passes what has expired, and another one numbers meanwhile what waits', async () => {
  const acme = uuidV7();
  for (const day of [DAY, later(1), later(89, 1)]) {
    await happen(acme, KNOWN, day);
    await follow(acme, 0, 200, day);
  }
  await happen(acme, BACKLOG, later(90, -5));
  beforeCalls((command) => command instanceof UpdateCommand, [() => follow(acme, 15, 200, later(90, -1))]);
  await readFeed(acme, KNOWN, 1, later(90));
  vi.restoreAllMocks();
  const { counts } = await countBehind(acme, [KNOWN, 15], later(90));
  expect([...counts.values()]).toEqual([70, 60].map((count) => ({ 'product.created': count })));
});

describe('a reader that is overtaken', () => {
  const isUpdate = (command: object) => command instanceof UpdateCommand;

  it.each([
    ['the first of all', false],
    ['a later one', true],
  ])('where it numbers sets the feed back to nothing earlier: %s', async (_reader, isOpened) => {
    const acme = uuidV7();
    if (isOpened) await follow(acme, 0, 200, DAY);
    await happen(acme, KNOWN, later(0, 1));
    const overtake = async () => {
      await follow(acme, 0, 200, later(0, 2));
      await happen(acme, KNOWN, later(0, 3));
      await follow(acme, 0, 200, later(0, 4));
      await happen(acme, 1, later(0, 5));
    };
    // Before it makes the feed, or once it has made a page.
    beforeCalls(isUpdate, isOpened ? [async () => {}, overtake] : [overtake]);
    expect(await readFeed(acme, 0, KNOWN, later(0, 2))).toMatchObject({ last: KNOWN, hasMore: true });
    expect(await readItem(feedKey(acme))).toMatchObject({ last: 2 * KNOWN });
  });

  it('where it passes what has expired sets the oldest back to nothing earlier', async () => {
    const acme = uuidV7();
    for (const day of [DAY, later(1), later(2)]) {
      await happen(acme, KNOWN, day);
      await follow(acme, 0, 200, day);
    }
    beforeCalls(isUpdate, [() => readFeed(acme, undefined, 1, later(91))]);
    expect(await readFeed(acme, undefined, 1, later(90))).toMatchObject({ oldest: KNOWN + 1 });
    expect(await readItem(feedKey(acme))).toMatchObject({ oldest: 2 * KNOWN + 1 });
  });
});

describe('a reader that dies', () => {
  useKilling();

  /** @param known how many events have numbers when it begins */
  async function outlive(death: Death | undefined, known: number) {
    const acme = uuidV7();
    const ids = await happen(acme, known, DAY);
    if (known > 0) await follow(acme, 0, 200, DAY);
    ids.push(...(await happen(acme, BACKLOG, later(0, 1))));
    const { writes } = await mayDie(death, () => readFeed(acme, known, 200, later(0, 2)));
    ids.push(...(await happen(acme, 3, later(0, 3))));
    const end = await readFeed(acme, Math.max(0, known - 10), 10, later(0, 4));
    expect(end.hasMore).toBe(true);
    const followed = await follow(acme, 0, 40, later(0, 4));
    expect(objectsOf(followed)).toEqual(ids);
    expect(numbersOf(followed)).toEqual(upTo(ids.length));
    expect(await follow(acme, 0, 200, later(0, 5))).toEqual(followed);
    const { counts } = await countBehind(acme, [0, 20, 49, 50, 60], later(0, 5));
    for (const [after, count] of counts) expect(count).toEqual({ 'product.created': ids.length - after });
    expect(await itemsIn(outboxPartition(acme))).toEqual([]);
    return writes;
  }

  it.each([
    ['the first of all', 0, 7],
    ['a later one', 20, 6],
  ])('leaves no event behind, and none twice: %s', async (_reader, known, writes) => {
    expect(await outlive(undefined, known)).toBe(writes);
    for (const death of deathsOf(writes)) await outlive(death, known);
  });

  it('hides nothing that has left the outbox from whoever reads next', async () => {
    for (const death of deathsOf(3)) {
      const acme = uuidV7();
      await happen(acme, 4, DAY);
      await follow(acme, 0, 200, DAY);
      await happen(acme, 1, later(0, 1));
      await mayDie(death, () => readFeed(acme, 4, 200, later(0, 2)));
      expect(await readFeed(acme, 0, 4, later(0, 3))).toMatchObject({ last: 4, hasMore: true });
    }
  });
});
