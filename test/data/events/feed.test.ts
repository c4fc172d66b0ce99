import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { countBehind, readFeed } from '#shared/data/events/feed.ts';
import { record } from '#shared/data/events/outbox.ts';
import { eventPageKey, eventPartition, outboxPartition } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { transact } from '#shared/data/table/transaction.ts';
import type { NumberedEvent } from '#shared/domain/events/event.ts';
import { EVENT_TYPES } from '#shared/domain/events/event-types.ts';
import { type Happening, happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import { costOf } from '#test/support/capacity.ts';
import {
  DAY,
  follow,
  givenPages,
  happen,
  itemsIn,
  later,
  numbersOf,
  objectsOf,
  recordEach,
  upTo,
} from '#test/support/feeds.ts';
import { betweenCalls } from '#test/support/interleaving.ts';
import { putItems } from '#test/support/table-scan.ts';

/** More than a page has. */
const BACKLOG = 60;

const some = (count: number): Happening[] =>
  Array.from({ length: count }, () => happening('product.updated', { id: uuidV7() }));

/** Its event takes nearly all of 4 KB. */
const imported = (): Happening => ({
  ...happening('entries.imported', { id: uuidV7() }),
  entryIds: Array.from({ length: 100 }, () => uuidV7()),
});

const justAfter = (moment: Date) => new Date(moment.getTime() + 1);

/** @param changes types, also those of a newer version */
async function recordTypes(organizationId: string, changes: readonly (readonly string[])[], from: Date) {
  const items = changes.map((types, i) => {
    const { Put } = record(organizationId, SCHEDULE, new Date(from.getTime() + i), some(types.length));
    return { ...Put?.Item, events: types.map((type, at) => ({ ...Put?.Item?.events[at], type })) };
  });
  await putItems(items);
}

const idsOf = (changes: readonly (readonly Happening[])[]) => changes.flat().map(({ object }) => object.id);

describe('numbers', () => {
  it('follow the order in which things happened, without gaps, wherever pages begin and end', async () => {
    const acme = uuidV7();
    const changes = Array.from({ length: 30 }, (_, i) => some(1 + (i % 5)));
    await recordEach(acme, changes, DAY);
    const all = await follow(acme, 0, 7, DAY);
    expect(numbersOf(all)).toEqual(upTo(90));
    expect(objectsOf(all)).toEqual(idsOf(changes));
    for (const after of [1, 48, 49, 50, 51, 88, 89, 90]) {
      const { events, last, hasMore } = await readFeed(acme, after, 3, DAY);
      expect(events).toEqual(all.events.slice(after, after + 3));
      expect({ last, hasMore }).toEqual({ last: Math.min(after + 3, 90), hasMore: after + 3 < 90 });
    }
    expect(await itemsIn(outboxPartition(acme))).toEqual([]);
  });

  it('of one change lie on one page, whose place they may leave empty', async () => {
    const acme = uuidV7();
    const changes = [...Array.from({ length: 49 }, () => some(1)), some(5), some(46)];
    await recordEach(acme, changes, DAY);
    expect(objectsOf(await follow(acme, 0, 200, DAY))).toEqual(idsOf(changes));
    // Those with a fiftieth number also have the counts up to their ends.
    const pages = await itemsIn(eventPartition(acme));
    expect(pages.map(({ first, last, counts }) => [first, last, counts])).toEqual([
      [1, 49, undefined],
      [50, 54, { 'product.updated': 54 }],
      [55, 100, { 'product.updated': 100 }],
    ]);
    expect(numbersOf(await follow(acme, 47, 5, DAY))).toEqual(upTo(100).slice(47));
  });

  it('of types that only a newer version knows pass, and what it recorded stays with its event', async () => {
    const acme = uuidV7();
    const { Put } = record(acme, SCHEDULE, DAY, some(3));
    const [one, two, three] = Put?.Item?.events ?? [];
    const strange = { ...two, type: 'quote.sent', actor: { ...two.actor, via: 'partner' }, later: 1 };
    await putItems([{ ...Put?.Item, events: [one, strange, three] }]);
    expect(numbersOf(await follow(acme, 0, 100, DAY))).toEqual([1, 3]);
    expect(await readFeed(acme, 1, 1, DAY)).toMatchObject({ events: [], last: 2, hasMore: true });
    expect(await itemsIn(eventPartition(acme))).toMatchObject([{ events: [one, strange, three] }]);
  });
});

describe('the events behind a number', () => {
  const TYPES = ['product.created', 'invoice.sent', 'entry.deleted', 'quote.sent'];

  /** Numbers that are drawn, and come again in each run. */
  const drawn = fc.array(fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 30 }), { maxLength: 12 });

  it('are counted by type as whoever reads them counts, wherever a page begins and whoever numbers them', {
    timeout: 60_000,
  }, async () => {
    const whenRead = fc.array(drawn, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(whenRead, async (parts) => {
        const acme = uuidV7();
        const types: string[] = [];
        for (const [part, changes] of parts.entries()) {
          await recordTypes(acme, changes, later(0, part));
          types.push(...changes.flat());
          if (part % 2 === 0) await follow(acme, 0, 200, later(0, part));
        }
        const positions = Array.from({ length: types.length + 1 }, (_, after) => after);
        const { counts } = await countBehind(acme, positions, later(0, parts.length));
        const recount = (after: number) => Object.groupBy(types.slice(after), (type) => type);
        for (const after of positions) {
          expect(counts.get(after)).toBeDefined();
          for (const type of TYPES) expect(counts.get(after)?.[type] ?? 0).toBe(recount(after)[type]?.length ?? 0);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('are not counted where the next of them has expired, or was cut', async () => {
    const [acme, globex] = [uuidV7(), uuidV7()];
    await happen(acme, BACKLOG, DAY);
    await follow(acme, 0, 100, DAY);
    await happen(acme, 10, later(5));
    await follow(acme, BACKLOG, 100, later(5));
    const counted = async (organizationId: string, positions: readonly number[], now: Date) => {
      const { counts } = await countBehind(organizationId, positions, now);
      return positions.map((position) => counts.get(position)?.['product.created']);
    };
    expect(await counted(acme, [0, 59, 60, 65], later(90))).toEqual([undefined, undefined, 10, 5]);
    await happen(globex, 10, DAY);
    await follow(globex, 0, 100, DAY);
    await happen(globex, 5, later(0, 1));
    await happen(globex, 3, later(8, -14));
    expect(await counted(globex, [9, 10, 11, 13], later(8))).toEqual([undefined, undefined, 3, 1]);
  });
});

describe('a backlog', () => {
  it('is numbered in parts of bounded work, from whose ends a reader may begin', async () => {
    const acme = uuidV7();
    await readFeed(acme, undefined, 100, DAY);
    const ids = await happen(acme, 800, DAY);
    expect(await readFeed(acme, undefined, 100, DAY)).toEqual({ events: [], last: 500, oldest: 1, hasMore: true });
    const followed = await follow(acme, 500, 200, DAY);
    expect(objectsOf(followed)).toEqual(ids.slice(500));
    expect(await readFeed(acme, undefined, 100, DAY)).toEqual({ events: [], last: 800, oldest: 1, hasMore: false });
  });
});

it('an event is there once where its transaction is repeated for a lost answer, and was numbered in between', async () => {
  const acme = uuidV7();
  let isLost = false;
  betweenCalls(async (command, send) => {
    const answer = await send(command);
    if (isLost || !(command instanceof TransactWriteCommand)) return answer;
    isLost = true;
    await follow(acme);
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  });
  await transact([record(acme, SCHEDULE, new Date(), some(1))]);
  expect([isLost, numbersOf(await follow(acme))]).toEqual([true, [1]]);
});

describe('readers at once', () => {
  it('see the same events under the same numbers, while others write', async () => {
    const acme = uuidV7();
    const written: string[] = [];
    let isWriting = true;
    const write = async () => {
      for (let i = 0; i < 20; i++) {
        const [made] = some(1);
        if (!made) continue;
        await transact([record(acme, SCHEDULE, new Date(), [made])]);
        written.push(made.object.id);
      }
    };
    const read = async () => {
      const seen: NumberedEvent[] = [];
      while (isWriting) seen.push(...(await follow(acme, seen.length, 10)).events);
      return [...seen, ...(await follow(acme, seen.length, 10)).events];
    };
    const reading = [read(), read(), read(), read()];
    await Promise.all([write(), write(), write()]);
    isWriting = false;
    const [first = [], ...others] = await Promise.all(reading);
    expect(first.map(({ sequence }) => sequence)).toEqual(upTo(60));
    expect(first.map(({ object }) => object.id).toSorted()).toEqual(written.toSorted());
    for (const seen of others) expect(seen).toEqual(first);
  });

  it('stand in no way of writers: no transaction is refused for them', async () => {
    const acme = uuidV7();
    let [isWriting, refused] = [true, 0];
    const name = 'countRefusals';
    database.middlewareStack.add(
      (next) => (request) =>
        next(request).catch((error: unknown) => {
          if (error instanceof TransactionCanceledException) refused += 1;
          throw error;
        }),
      { step: 'initialize', name },
    );
    const write = async () => {
      for (let i = 0; i < 10; i++) await transact([record(acme, SCHEDULE, new Date(), some(1))]);
    };
    const read = async () => {
      while (isWriting) {
        await follow(acme);
        await sleep(100);
      }
    };
    const reading = Array.from({ length: 100 }, read);
    await Promise.all(Array.from({ length: 8 }, write)).finally(() => database.middlewareStack.remove(name));
    isWriting = false;
    await Promise.all(reading);
    expect(refused).toBe(0);
    expect((await follow(acme)).last).toBe(80);
  });
});

describe('events that are old', () => {
  it.each([
    ['are still in the table', false],
    ['are gone', true],
  ])('have expired after 90 days, whether they %s', async (_where, isGone) => {
    const acme = uuidV7();
    await happen(acme, BACKLOG, DAY);
    await follow(acme, 0, 100, DAY);
    await happen(acme, 10, later(5));
    await follow(acme, BACKLOG, 100, later(5));
    expect((await readFeed(acme, 0, 100, later(90, -1))).oldest).toBe(1);
    const forget = async (first: number) => {
      const Key = eventPageKey(acme, first);
      if (isGone) await database.send(new DeleteCommand({ TableName: TABLE_NAME, Key }));
    };
    for (const first of [1, 51]) await forget(first);
    const expired = { code: 'events_expired', details: { extensions: { oldest: BACKLOG + 1 } } };
    for (const after of [0, 49, 59]) await expect(readFeed(acme, after, 100, later(90))).rejects.toMatchObject(expired);
    const kept = await readFeed(acme, BACKLOG, 100, later(90));
    expect(kept).toMatchObject({ last: 70, oldest: 61, hasMore: false });
    expect(kept.events).toHaveLength(10);
    await forget(61);
    await expect(readFeed(acme, 69, 100, later(95))).rejects.toMatchObject({ details: { extensions: { oldest: 71 } } });
    expect(await readFeed(acme, 70, 100, later(95))).toEqual({ events: [], last: 70, oldest: 71, hasMore: false });
    expect(await costOf(() => readFeed(acme, 70, 100, later(95)))).toMatchObject({ calls: 3 });
    await happen(acme, 1, later(96, 1));
    expect(numbersOf(await follow(acme, 70, 100, later(96, 2)))).toEqual([71]);
    expect((await readFeed(acme, undefined, 100, later(96, 3))).oldest).toBe(71);
  });

  it('are passed in parts where there are very many', async () => {
    const acme = uuidV7();
    await givenPages(acme, 250, DAY);
    const oldest: number[] = [];
    while (oldest.at(-1) !== 12_501) oldest.push((await readFeed(acme, undefined, 100, DAY)).oldest);
    expect(oldest).toEqual([5_001, 10_001, 12_501]);
  });

  it('are told as expired where they are not passed yet, whichever of them are gone', async () => {
    const [acme, globex, initech] = [uuidV7(), uuidV7(), uuidV7()];
    await givenPages(acme, 250, DAY, (page) => page !== 100);
    await expect(readFeed(acme, 5_000, 100, DAY)).rejects.toMatchObject({ code: 'events_expired' });
    await expect(readFeed(acme, 10_050, 100, DAY)).rejects.toMatchObject({ code: 'events_expired' });
    await givenPages(globex, 101, DAY);
    expect([...(await countBehind(globex, [5_000], DAY)).counts]).toEqual([[5_000, undefined]]);
    await givenPages(initech, 3, later(1), (page) => page !== 1);
    await expect(readFeed(initech, 99, 100, DAY)).rejects.toMatchObject({ code: 'events_expired' });
    expect(await readFeed(initech, 100, 100, DAY)).toMatchObject({ last: 150 });
    expect([...(await countBehind(initech, [99, 100], DAY)).counts.values()]).toEqual([
      undefined,
      { 'product.created': 50 },
    ]);
  });
});

describe('a feed that nobody has read for seven days', () => {
  const cut = { code: 'events_expired', details: { extensions: { oldest: 12 } } };

  it('is cut: who had read it before hears of that, and goes on at the present end', async () => {
    const acme = uuidV7();
    await happen(acme, 10, DAY);
    expect((await follow(acme, 0, 100, DAY)).last).toBe(10);
    await happen(acme, BACKLOG, later(0, 1));
    const recent = await happen(acme, 3, later(8, -14));
    await expect(readFeed(acme, 10, 100, later(8))).rejects.toMatchObject(cut);
    for (const after of [0, 5, 10]) await expect(readFeed(acme, after, 5, later(8))).rejects.toMatchObject(cut);
    const begun = await follow(acme, 11, 100, later(8));
    expect([numbersOf(begun), objectsOf(begun)]).toEqual([[12, 13, 14], recent]);
    expect(await readFeed(acme, undefined, 100, later(8))).toEqual({
      events: [],
      last: 14,
      oldest: 12,
      hasMore: false,
    });
    // What is left out expires first, and is not looked for again.
    expect(await costOf(() => readFeed(acme, 14, 100, later(92)))).toMatchObject({ calls: 3 });
  });

  it.each([
    ['the first of all', false],
    ['one of many', true],
  ])('is not cut within seven days, nor while somebody catches up: %s', async (_reader, isOpened) => {
    const acme = uuidV7();
    if (isOpened) await readFeed(acme, undefined, 1, DAY);
    const ids = await happen(acme, 600, DAY);
    expect((await readFeed(acme, undefined, 100, later(7))).hasMore).toBe(true);
    expect(objectsOf(await follow(acme, 0, 200, later(8)))).toEqual(ids);
  });

  it('is not cut while somebody reads what lies far behind', async () => {
    const acme = uuidV7();
    await happen(acme, 100, DAY);
    await follow(acme, 0, 100, DAY);
    const ids = await happen(acme, 3, later(0, 1));
    const reading = (now: Date) => async () =>
      expect(await readFeed(acme, 0, 50, now)).toMatchObject({ last: 50, hasMore: true });
    expect(await costOf(reading(later(1)))).toMatchObject({ writeUnits: 0 });
    expect(await costOf(reading(justAfter(later(1))))).toMatchObject({ writeUnits: 3 });
    expect(objectsOf(await follow(acme, 100, 50, later(8)))).toEqual(ids);
  });

  it('begins at the present end for its first reader ever', async () => {
    const acme = uuidV7();
    await happen(acme, 10, DAY);
    const cutAt = justAfter(later(7, -15));
    await happen(acme, 1, later(7, -15));
    const recent = await happen(acme, 3, cutAt);
    const begun = await follow(acme, 0, 100, justAfter(later(7)));
    expect([numbersOf(begun), objectsOf(begun), begun.oldest]).toEqual([[1, 2, 3], recent, 1]);
  });

  it('is cut once, whoever reads at the same moment', async () => {
    const acme = uuidV7();
    await follow(acme, 0, 100, DAY);
    await happen(acme, BACKLOG, later(0, 1));
    const recent = await happen(acme, 3, later(8, -14));
    const readers = Array.from({ length: 4 }, () => readFeed(acme, undefined, 100, later(8)));
    expect((await Promise.all(readers)).map(({ last }) => last)).toEqual([4, 4, 4, 4]);
    expect(objectsOf(await follow(acme, 1, 100, later(8)))).toEqual(recent);
  });
});

describe('the cost', () => {
  it('of an event is 2 write units, and 3 more where somebody reads it', async () => {
    const acme = uuidV7();
    await follow(acme);
    const written = await costOf(() => transact([record(acme, SCHEDULE, new Date(), some(1))]));
    expect(written).toMatchObject({ calls: 1, writeUnits: 2 });
    const read = await costOf(() => readFeed(acme, 0, 100, new Date()));
    expect(read).toMatchObject({ calls: 7, roundTrips: 7, writeUnits: 3 });
    const idle = await costOf(() => readFeed(acme, 1, 100, new Date()));
    expect(idle).toMatchObject({ calls: 3, roundTrips: 3, writeUnits: 0, readUnits: 3 });
  });

  it('of a page that is read to its end has nothing for what waits behind it', async () => {
    const acme = uuidV7();
    await happen(acme, 2, DAY);
    await follow(acme, 0, 100, DAY);
    await happen(acme, 1, later(0, 1));
    const cost = await costOf(async () =>
      expect(await readFeed(acme, 0, 2, later(0, 1))).toMatchObject({ last: 2, hasMore: true }),
    );
    expect(cost).toMatchObject({ calls: 3, writeUnits: 0 });
  });

  it('of the first reader of all has two read units more: for the oldest event, and for the feed that it has made', async () => {
    const [acme, globex] = [uuidV7(), uuidV7()];
    await follow(globex, 0, 100, DAY);
    const read = async (organizationId: string) => {
      await recordEach(organizationId, [[imported()], [imported()]], DAY);
      return costOf(() => readFeed(organizationId, 0, 100, DAY));
    };
    const [first, next] = [await read(acme), await read(globex)];
    expect([first.calls - next.calls, first.readUnits - next.readUnits]).toEqual([3, 2]);
  });

  it('of a hundred imported entries goes by their ids', async () => {
    const acme = uuidV7();
    await follow(acme);
    const written = await costOf(() => transact([record(acme, SCHEDULE, new Date(), [imported()])]));
    const read = await costOf(() => readFeed(acme, 0, 100, new Date()));
    expect([written.writeUnits, read.writeUnits]).toEqual([8, 9]);
  });

  it('of a cut is that of one page, however much is left out', async () => {
    const acme = uuidV7();
    await readFeed(acme, undefined, 100, DAY);
    await happen(acme, 1_000, DAY);
    const cost = await costOf(() => readFeed(acme, undefined, 100, later(8)));
    expect(cost).toMatchObject({ calls: 6, writeUnits: 2 });
  });

  it('of a count is that of one page more than the end for each number, wherever it lies in a million events', async () => {
    const acme = uuidV7();
    await givenPages(acme, 20_000, later(90), (page) => page % 9_995 < 5);
    for (const after of [0, 499_799, 499_800, 999_510]) {
      const alike = Array<number>(10).fill(after);
      const cost = await costOf(async () => {
        const { counts } = await countBehind(acme, alike, DAY);
        expect(counts.get(after)).toEqual({ 'product.created': 1_000_000 - after });
      });
      expect(cost).toMatchObject({ calls: 4, roundTrips: 4, readUnits: 6, writeUnits: 0 });
    }
    expect(await costOf(() => countBehind(acme, [0, 499_799, 999_510], DAY))).toMatchObject({
      calls: 6,
      roundTrips: 4,
    });
  });

  it('of an event stays where each type has happened', async () => {
    const acme = uuidV7();
    await recordTypes(acme, [EVENT_TYPES], DAY);
    await follow(acme, 0, 100, DAY);
    await happen(acme, 1, later(0, 1));
    expect(await costOf(() => readFeed(acme, 43, 100, later(0, 1)))).toMatchObject({ calls: 7, writeUnits: 3 });
  });

  it('of a page is the same at the start and at the end of a million events', async () => {
    const acme = uuidV7();
    await givenPages(acme, 20_000, later(90), (page) => page % 9_995 < 5);
    const costs = [];
    for (const after of [0, 499_750, 999_500]) costs.push(await costOf(() => readFeed(acme, after, 200, DAY)));
    expect(costs[0]).toMatchObject({ calls: 2, writeUnits: 0 });
    for (const { readUnits } of costs) expect(readUnits).toBe(costs[0]?.readUnits);
  });
});
