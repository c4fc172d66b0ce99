import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it, vi } from 'vitest';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { dayPartition } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { boundOfScan } from '#shared/data/tracker/entry-counts.ts';
import { SegmentReader } from '#shared/data/tracker/read-segments.ts';
import { planDays, type Segment } from '#shared/domain/tracker/list-plan.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';
import { changeStoredEntry } from '#test/support/stored.ts';

/** Requests that look through days while others book on some of them. */

const DAYS = ['2026-11-20', '2026-11-19', '2026-11-18'] as const;
const [NEWEST] = DAYS;
const RANGE = { dateFrom: '2025-01-01', dateTo: '2026-12-31' };

const dayOf = (command: object): unknown =>
  command instanceof QueryCommand ? command.input.ExpressionAttributeValues?.[':day'] : undefined;

/** The days that are read from now on, each as often as it is read. */
function daysRead(by: User): () => string[] {
  const send = vi.mocked(database.send);
  const before = send.mock.calls.length;
  const dates = new Map(DAYS.map((date) => [dayPartition(by.organization.id, date), date]));
  return () => send.mock.calls.slice(before).flatMap(([command]) => dates.get(String(dayOf(command))) ?? []);
}

/** Whether a call reads the entries of a project alone. */
const isOf = ({ input }: { readonly input: object }, { id }: Json): boolean =>
  'ExpressionAttributeValues' in input && JSON.stringify(input.ExpressionAttributeValues).includes(id);

/** Lets something happen before the first day is read, or the first range of one that is not of a project. */
function beforeFirstDay(happen: () => Promise<unknown>, but?: Json): void {
  beforeCalls((command) => dayOf(command) !== undefined && !(but && isOf(command, but)), [happen]);
}

async function scene() {
  const ana = await given.user();
  const [project, other] = [await given.project(ana), await given.project(ana)];
  for (const each of [project, other]) await bookEntries(ana, each, 15, DAYS);
  const book = (date: string) => bookEntries(ana, project, 2, [date]);
  // The first request also reads the directory.
  await invoke(listEntries, ana, { query: RANGE });
  return { ana, book, other };
}

type Read = (by: User) => Promise<Json>;

const list =
  (query: (by: User) => Record<string, string>): Read =>
  async (by) =>
    invoke(listEntries, by, { query: { ...RANGE, ...query(by), limit: '100' } });

/**
 * What DynamoDB filters of a day does not tell how many entries were there, so such a day is read again. A source is
 * looked for in a range of each project.
 */
describe.each<[string, Read, string[]]>([
  ['a search', list(() => ({ q: 'work' })), [NEWEST, ...DAYS]],
  ['a list of a user', list(({ userId }) => ({ userId })), [...DAYS]],
  ['a list of a user and a source', list(({ userId }) => ({ userId, source: 'native_tracker' })), [...DAYS, ...DAYS]],
  ['a page without a filter', list(() => ({})), [...DAYS]],
])('%s', (_, read, expected) => {
  it('reads no day again but perhaps the one that somebody books on meanwhile, and has what was booked', async () => {
    const { ana, book, other } = await scene();
    beforeFirstDay(() => book(NEWEST), other);
    const dates = daysRead(ana);
    expect((await read(ana)).meta.total).toBe(32);
    expect(dates().sort()).toEqual(expected.sort());
  });

  it.each([DAYS[2], '2026-12-01', '2025-01-01'])(
    'has an entry once that somebody moves to %s meanwhile',
    async (entryDate) => {
      const { ana } = await scene();
      const [moved] = (await invoke(listEntries, ana, { query: RANGE })).data;
      const entry = await readEntry(ana.organization.id, moved.id);
      beforeFirstDay(() => changeStoredEntry(entry, { entryDate }));
      const { data, meta } = await read(ana);
      expect([meta.total, new Set(data.map(({ id }: Json) => id)).size]).toEqual([30, 30]);
    },
  );
});

it('a search has an entry that somebody moves to a project whose entries of the day were read before', async () => {
  const ana = await given.user();
  const [read, other] = [await given.project(ana), await given.project(ana)];
  await bookEntries(ana, read, 1, [NEWEST]);
  const [moved = ''] = await bookEntries(ana, other, 2, [NEWEST]);
  const move = async () => {
    const entry = await readEntry(ana.organization.id, moved);
    await changeStoredEntry(entry, { projectId: read.id });
  };
  beforeCalls((command) => dayOf(command) !== undefined && isOf(command, other), [move]);
  const { meta } = await list(() => ({ q: 'work', source: 'native_tracker' }))(ana);
  expect(meta.total).toBe(3);
  expect(await readEntry(ana.organization.id, moved)).toMatchObject({ projectId: read.id });
});

it('a summary by user reads no day again when somebody books on it meanwhile, and has what was booked', async () => {
  const { ana, book } = await scene();
  const summarize = async (): Promise<Json> =>
    (await invoke(summarizeEntries, ana, { query: { ...RANGE, groupBy: 'user' } })).data;
  const before = await summarize();
  beforeFirstDay(() => book(NEWEST));
  const dates = daysRead(ana);
  expect((await summarize()).trackedMinutes).toBeGreaterThan(before.trackedMinutes);
  expect(dates().sort()).toEqual([...DAYS].sort());
});

it('a page over the end of one very busy day and the beginning of another reads nothing twice while nobody books', {
  timeout: 60_000,
}, async () => {
  const ana = await given.user();
  await bookEntries(ana, null, 4_010, DAYS.slice(0, 2));
  const send = vi.spyOn(database, 'send');
  const { data, meta } = await invoke(listEntries, ana, { query: { ...RANGE, offset: '2000', limit: '10' } });
  const days = data.map(({ entryDate }: Json) => entryDate.slice(0, 10));
  expect([meta.total, days]).toEqual([4_010, [...Array(5).fill(DAYS[0]), ...Array(5).fill(DAYS[1])]]);
  const reads = send.mock.calls.filter(([command]) => dayOf(command) !== undefined);
  const inputs = reads.map(([{ input }]) => JSON.stringify(input));
  expect(inputs.length).toBeGreaterThan(1);
  expect(new Set(inputs).size).toBe(inputs.length);
});

describe('days that have changed', () => {
  const planned = (...counts: readonly number[]) =>
    planDays(
      counts.map((entries, index) => ({ period: DAYS[index] ?? '', entries })),
      {},
    );

  /** Of days without entries, which a condition could have hidden. Each reading has its number. */
  function numbering() {
    let readings = 0;
    const reader = new SegmentReader(uuidV7(), { filter: {}, condition: {} }, () => ++readings);
    const read = (segments: readonly Segment[]) => reader.read(segments, boundOfScan());
    return { reader, read };
  }

  it.each([
    [5_000, [2, 3], true],
    [5_001, [1, 2], false],
  ])(
    'are read again where they hold %i entries, or are not, and new days are',
    async (count, readings, areAsCounted) => {
      const { reader, read } = numbering();
      await read(planned(4_000));
      const segments = planned(count, 6_000);
      await read(segments);
      // Days are read at once, in any order.
      expect([...reader.digestsOf(segments)].sort()).toEqual(readings);
      expect(reader.areAsCounted(segments)).toBe(areAsCounted);
    },
  );

  it('are read again where only one end was read, as the page may need more of it', async () => {
    const { reader, read } = numbering();
    const ends = planned(3_000).map((segment) => ({ ...segment, isReadFromOneEnd: true }));
    await read(ends);
    await read(ends);
    expect(reader.digestsOf(ends)).toEqual([2]);
  });

  it('come in the order of reading, as the later reading of an entry counts', async () => {
    const { reader, read } = numbering();
    await read(planned(1, 1));
    await read(planned(2, 1));
    // Days are read at once, in any order.
    expect(reader.digestsOf(planned(2, 1))).toEqual([expect.any(Number), 3]);
  });

  it('are forgotten once they hold no entry', async () => {
    const { reader, read } = numbering();
    await read(planned(1, 1, 1));
    const left = planned(0, 1);
    expect(reader.areAsCounted(left)).toBe(true);
    expect(reader.digestsOf(left)).toHaveLength(1);
  });
});
