import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOf } from '#shared/domain/date-range.ts';
import {
  type Count,
  crowdedDaysOf,
  type DayRange,
  type DimensionFilter,
  isMonth,
  matches,
  narrowed,
  type PageWindow,
  planDays,
  planPage,
  type Segment,
  splitByRanges,
  toReadOf,
  withOpened,
} from '#shared/domain/tracker/list-plan.ts';
import { draws } from '#test/support/draws.ts';

/** Pages are planned from counts of drawn entries, and read from these. A sorted list of all of them is the truth. */

interface Row {
  readonly date: string;
  readonly clientId: string | null;
  readonly projectId: string | null;
  readonly source: string;
  readonly billable: boolean;
  readonly size: number;
}

interface ListedEntry extends Row {
  readonly position: number;
}

const CROWDED = '2026-02-28';

const row = fc.record<Row>({
  date: fc.oneof(fc.constantFrom('2025-12-31', '2026-02-01', '2026-02-27', '2026-03-01'), fc.constant(CROWDED)),
  clientId: fc.constantFrom(null, 'acme', 'globex'),
  projectId: fc.constantFrom(null, 'one', 'two', 'three'),
  source: fc.constantFrom('native_tracker', 'remote_api', 'import'),
  billable: fc.boolean(),
  size: fc.constantFrom(1, 2, 15, 16, 40, 1_000, 1_999, 2_100),
});

const dimensions = {
  clientId: fc.constantFrom('acme', 'globex'),
  projectId: fc.constantFrom('one', 'two'),
  source: fc.constant('remote_api'),
  billable: fc.boolean(),
};

const filter = fc.oneof(
  fc.constant<DimensionFilter>({}),
  fc.record<DimensionFilter>({ billable: fc.boolean() }),
  fc.record<DimensionFilter>(dimensions, { requiredKeys: [] }),
);

const window = fc.record<PageWindow>({
  offset: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 4_000 })),
  limit: fc.constantFrom(1, 20, 200, 10_000),
});

/** No order of entries is that of their rows. */
const MULTIPLIER = 7_919;
const PRIME = 1_000_003;

function entriesOf(rows: readonly Row[]): ListedEntry[] {
  return rows.flatMap((each, first) =>
    Array.from({ length: each.size }, (_, i) => ({ ...each, position: ((first * 5_000 + i) * MULTIPLIER) % PRIME })),
  );
}

function newestFirst(one: ListedEntry, other: ListedEntry): number {
  if (one.date !== other.date) return one.date < other.date ? 1 : -1;
  return other.position - one.position;
}

/** As the ledger counts: it looks at pages of the client or the project. Without a filter, the calendar counts. */
function counted(entries: readonly ListedEntry[], wanted: DimensionFilter, periodOf = (date: string) => date): Count[] {
  const { clientId, projectId } = wanted;
  const isCalendar = Object.keys(wanted).length === 0;
  const beside = entries.filter((entry) => matches(entry, { clientId, projectId }));
  const cells = Map.groupBy(beside, ({ date, ...of }) =>
    JSON.stringify([periodOf(date), ...(isCalendar ? [] : [of.clientId, of.projectId, of.source, of.billable])]),
  );
  return [...cells.values()].flatMap((some) =>
    some.slice(0, 1).map((entry) => {
      const count = { period: periodOf(entry.date), entries: some.length };
      return isCalendar ? count : { ...count, dimensions: entry };
    }),
  );
}

/** @param isOpened whether a look into crowded days finds their rows long */
function planned(
  entries: readonly ListedEntry[],
  wanted: DimensionFilter,
  page: PageWindow,
  { isByMonth, isOpened }: { readonly isByMonth: boolean; readonly isOpened: boolean },
): Segment[] {
  const matching = entries.filter((entry) => matches(entry, wanted));
  const counts = isByMonth ? counted(matching, wanted, monthOf) : counted(entries, wanted);
  const coarse = narrowed({ ...page, counts, filter: wanted });
  const months = coarse.counts.filter(isMonth);
  const opened = new Set(months.map(({ period }) => period));
  const ofMonths = entries.filter(({ date }) => opened.has(monthOf(date)));
  const byDay = withOpened(coarse, months, counted(ofMonths, wanted));
  const crowded = isOpened ? crowdedDaysOf(byDay) : [];
  const dates = new Set(crowded.map(({ period }) => period));
  const ofDays = entries.filter(({ date }) => dates.has(date));
  return planPage(withOpened(byDay, crowded, counted(ofDays, { ...wanted, source: undefined })));
}

const liesIn =
  ({ clientId, projectId }: DayRange) =>
  (entry: ListedEntry): boolean =>
    (clientId === undefined || entry.clientId === clientId) &&
    (projectId === undefined || entry.projectId === projectId);

const lookedThrough = ({ date, ranges }: Segment, entries: readonly ListedEntry[]): ListedEntry[] =>
  ranges.flatMap((range) => entries.filter((entry) => entry.date === date && liesIn(range)(entry)));

function read(segment: Segment, entries: readonly ListedEntry[], wanted: DimensionFilter): ListedEntry[] {
  const { from, skip, take } = segment;
  const found = lookedThrough(segment, entries).filter((entry) => matches(entry, wanted));
  const sorted = found.sort((one, other) => (from === 'newest' ? newestFirst(one, other) : newestFirst(other, one)));
  return sorted.slice(skip, skip + take);
}

const idsOf = (entries: readonly ListedEntry[]) => entries.map(({ date, position }) => `${date} ${position}`);

describe('the segments of a page', () => {
  it('hold exactly the entries of its window, whatever is counted, in whatever steps', () => {
    let ends = 0;
    const property = fc.property(
      fc.array(row, { maxLength: 9 }),
      filter,
      window,
      fc.record({ isByMonth: fc.boolean(), isOpened: fc.boolean() }),
      (rows, wanted, page, steps) => {
        const entries = entriesOf(rows);
        const segments = planned(entries, wanted, page, steps);
        const found = segments.flatMap((segment) => read(segment, entries, wanted)).sort(newestFirst);
        const list = entries.filter((entry) => matches(entry, wanted)).sort(newestFirst);
        expect(idsOf(found)).toEqual(idsOf(list.slice(page.offset, page.offset + page.limit)));
        ends += segments.filter(({ limit }) => limit !== undefined).length;
      },
    );
    fc.assert(property, { numRuns: draws(150) });
    expect(ends).toBeGreaterThan(20);
  });

  it('look through what is counted in their ranges, and at the end of a crowded day through little more than the page', () => {
    const property = fc.property(fc.array(row, { maxLength: 9 }), filter, window, (rows, wanted, page) => {
      const entries = entriesOf(rows);
      const { clientId, projectId } = wanted;
      const beside = entries.filter((entry) => matches(entry, { clientId, projectId }));
      const isAmongOthers = ({ date }: Segment) =>
        beside.some((entry) => entry.date === date && !matches(entry, wanted));
      for (const segment of planned(entries, wanted, page, { isByMonth: false, isOpened: true })) {
        const { ranges, skip, take, limit, count, toRead } = segment;
        const looked = lookedThrough(segment, entries);
        if (limit === undefined) expect(toRead).toBe(looked.length);
        else if (isAmongOthers(segment)) expect(toRead).toBeGreaterThanOrEqual(looked.length);
        else {
          expect(toRead).toBeLessThanOrEqual(skip + take + 5 * ranges.length);
          expect(toRead).toBeGreaterThanOrEqual(skip + take);
        }
        expect(skip + take).toBeLessThanOrEqual(count);
      }
    });
    fc.assert(property, { numRuns: draws(100) });
  });

  it('come newest day first, no day twice, and hold no more than the page, even if counts are wrong', () => {
    const wrong = fc.record({
      period: fc.constantFrom('2025-12-31', '2026-01', '2026-02-27', '2026-02-28', '2026-03'),
      entries: fc.oneof(fc.integer({ min: -30, max: 30 }), fc.nat({ max: 3_000 })),
    });
    fc.assert(
      fc.property(fc.array(wrong, { maxLength: 8 }), window, (counts, page) => {
        const segments = planPage({ ...page, counts, filter: {} });
        const dates = segments.map(({ date }) => date);
        expect(dates).toEqual([...new Set(dates)].sort().reverse());
        expect(dates.filter((date) => date.length < 'YYYY-MM-DD'.length)).toEqual([]);
        expect(segments.reduce((sum, { take }) => sum + take, 0)).toBeLessThanOrEqual(page.limit);
        for (const { skip, take } of segments) expect([skip >= 0, take > 0]).toEqual([true, true]);
      }),
    );
  });

  it('hold no more than the page where a sum is negative', () => {
    const counts = [3, -2, 3].map((entries, index) => ({ period: `2026-02-0${3 - index}`, entries }));
    expect(planPage({ counts, filter: {}, offset: 0, limit: 3 }).map(({ take }) => take)).toEqual([3]);
  });

  const crowded = (entries: number): Count[] => [{ period: '2026-03-01', entries }];

  it.each([
    ['whole up to 2,000 entries', crowded(2_000), 0, 20, { from: 'newest', skip: 0, isReadFromOneEnd: false }],
    ['from the newest beyond that', crowded(2_001), 0, 20, { from: 'newest', skip: 0, isReadFromOneEnd: true }],
    [
      'from the oldest where that is nearer',
      crowded(2_001),
      1_500,
      20,
      { from: 'oldest', skip: 481, isReadFromOneEnd: true },
    ],
    [
      'whole where the page has all of it',
      crowded(2_001),
      0,
      2_001,
      { from: 'newest', skip: 0, isReadFromOneEnd: false },
    ],
  ])('read a day %s', (_, counts, offset, limit, expected) => {
    expect(planPage({ counts, filter: {}, offset, limit })).toMatchObject([{ ...expected, take: limit }]);
  });
});

const count = (clientId: string, entries: number, billable = true): Count => ({
  period: CROWDED,
  entries,
  dimensions: { clientId, projectId: 'one', source: 'native_tracker', billable },
});

/** The row of a project for each of some clients. */
const rowsFor = (clients: number, entries: number): Count[] =>
  Array.from({ length: clients }, (_, index) => count(`${index}`, entries));

describe('the ranges of a day', () => {
  const ofFirst = { clientId: '0', projectId: 'one' };

  it.each<[string, readonly Count[], DimensionFilter, string[]]>([
    ['its two rows', rowsFor(2, 3), {}, ['0 one', '1 one']],
    ['the whole day instead of three rows', rowsFor(3, 3), {}, ['all all']],
    ['no row without a match', [count('0', 3), count('1', 9, false)], { billable: true }, ['0 one']],
    ['all that a client has', rowsFor(1, 3), { clientId: '0' }, ['0 all']],
    ['the row of a client and a project', rowsFor(1, 3), ofFirst, ['0 one']],
    ['forty rows of a project', rowsFor(40, 1), { projectId: 'one' }, rowsFor(40, 1).map((_, i) => `${i} one`)],
    ['the whole day instead of more', rowsFor(41, 1), { projectId: 'one' }, ['all all']],
  ])('are %s', (_, counts, wanted, expected) => {
    const ranges = planDays(counts, wanted).flatMap((day) => day.ranges);
    expect(ranges.map(({ clientId = 'all', projectId = 'all' }) => `${clientId} ${projectId}`)).toEqual(expected);
  });

  it('are rows at the end of a crowded day, if they have 16 entries each', () => {
    const limitOf = (counts: readonly Count[]) => planPage({ counts, filter: {}, offset: 0, limit: 20 })[0]?.limit;
    expect(limitOf(rowsFor(126, 16))).toBe(5);
    expect(limitOf([...rowsFor(126, 16), count('more', 15)])).toBeUndefined();
  });
});

describe('crowded days', () => {
  it('are looked into where their rows are not counted, and no others', () => {
    const [month, day] = [
      { period: '2026-01', entries: 3_000 },
      { period: '2026-02-01', entries: 2_001 },
    ];
    const counts = [month, day, ...rowsFor(3, 900)];
    expect(crowdedDaysOf({ counts, filter: {}, offset: 100, limit: 5_000 })).toEqual([]);
    expect(crowdedDaysOf({ counts, filter: {}, offset: 2_600, limit: 200 })).toEqual([day]);
    expect(crowdedDaysOf({ counts, filter: {}, offset: 4_701, limit: 200 })).toEqual([]);
  });
});

describe('a plan of whole days', () => {
  it('has every day once, and split by ranges every entry that matches once', () => {
    const property = fc.property(fc.array(row, { maxLength: 9 }), filter, (rows, wanted) => {
      const entries = entriesOf(rows);
      const segments = planDays(counted(entries, wanted), wanted);
      const list = entries.filter((entry) => matches(entry, wanted));
      expect(segments.map(({ date }) => date)).toEqual([...new Set(list.map(({ date }) => date))].sort().reverse());
      const split = splitByRanges(segments);
      for (const each of split)
        expect([read(each, entries, wanted).length, each.take]).toEqual([each.count, each.count]);
      const found = split.flatMap((segment) => read(segment, entries, wanted));
      expect(idsOf(found.sort(newestFirst))).toEqual(idsOf(list.sort(newestFirst)));
      expect(toReadOf(split)).toBe(toReadOf(segments));
    });
    fc.assert(property, { numRuns: draws(50) });
  });
});

describe('counts that were opened', () => {
  it('stand in the place of the coarser ones on the page, and nothing else goes', () => {
    const [newer, month, older] = [
      { period: '2026-03-01', entries: 1 },
      { period: '2026-02', entries: 3 },
      { period: '2026-01', entries: 5 },
    ];
    const page = narrowed({ counts: [older, month, newer], filter: {}, offset: 2, limit: 2 });
    expect(page).toEqual({ counts: [month], filter: {}, offset: 1, limit: 2 });
    expect(narrowed({ counts: [], filter: {}, offset: 2, limit: 2 }).offset).toBe(0);
    const days = [{ period: '2026-02-28', entries: 3 }];
    expect(withOpened({ ...page, counts: [month, older] }, [month], days).counts).toEqual([older, ...days]);
  });
});
