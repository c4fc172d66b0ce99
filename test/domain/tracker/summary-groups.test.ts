import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesInAnswer, MAX_ANSWER_BYTES } from '#shared/domain/answer-size.ts';
import { mondayOf } from '#shared/domain/date-range.ts';
import { formatMinor } from '#shared/domain/money.ts';
import { summarize } from '#shared/domain/tracker/summary.ts';
import {
  assertGroupsFit,
  GROUPINGS,
  type GroupedCell,
  groupCells,
  groupingsIn,
  groupTable,
  isGroupingList,
} from '#shared/domain/tracker/summary-groups.ts';
import { refused } from '#test/support/refusals.ts';

const NAMED = (...names: string[]) => new Map(names.map((name) => [name.toLowerCase(), { name }]));

const names = { projects: NAMED('Site', 'App'), clients: NAMED('Globex', 'Hooli'), users: NAMED('Ana', 'Ben') };

/** Of projects, clients and users that exist, and of some that do not. */
const cells: fc.Arbitrary<GroupedCell[]> = fc.array(
  fc.record({
    dimensions: fc.record({
      projectId: fc.constantFrom('site', 'app', 'deleted', null),
      clientId: fc.constantFrom('globex', 'hooli', 'deleted', null),
      currency: fc.constantFrom('USD', 'JPY', 'BHD'),
      billable: fc.boolean(),
    }),
    minutes: fc.integer({ min: 1, max: 1_000 }),
    billedMinutes: fc.integer({ min: 0, max: 1_000 }),
    amountMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    period: fc.constantFrom('2024-12-29', '2024-12-30', '2025-01-05', '2025-12-31', '2026-01-01'),
    userId: fc.constantFrom('ana', 'ben', 'unknown'),
  }),
  { maxLength: 40 },
);

const groupings = fc.shuffledSubarray([...GROUPINGS], { minLength: 1, maxLength: 2 });

const minutesOf = (some: readonly GroupedCell[]) => some.reduce((sum, { minutes }) => sum + minutes, 0);
const billedOf = (some: readonly GroupedCell[]) => some.reduce((sum, { billedMinutes }) => sum + billedMinutes, 0);
const billable = (some: readonly GroupedCell[]) => some.filter(({ dimensions }) => dimensions.billable);
const exists = (id: string | null) => (id === 'deleted' ? null : id);

/** What a group is about, told otherwise than by the code under test. */
const VALUES: Readonly<Record<string, (cell: GroupedCell) => unknown>> = {
  projectId: ({ dimensions }) => exists(dimensions.projectId),
  clientId: ({ dimensions }) => exists(dimensions.clientId),
  userId: ({ userId }) => userId,
  date: ({ period }) => period,
  week: ({ period = '' }) =>
    ({ '2024-12-29': '2024-12-23', '2026-01-01': '2025-12-29', '2025-12-31': '2025-12-29' })[period] ?? '2024-12-30',
  month: ({ period }) => period?.slice(0, 7),
};

describe('the groups of a summary', () => {
  it('are a recount of any cells by any groupings, and each cell is in one of them', () => {
    fc.assert(
      fc.property(cells, groupings, (all, by) => {
        const groups = groupCells(all, by, names);
        let counted = 0;
        for (const { key, totalMinutes, trackedMinutes, billedMinutes, amounts } of groups) {
          const members = Object.entries(VALUES).filter(([member]) => member in key);
          expect(members).toHaveLength(by.length);
          const own = all.filter((cell) =>
            members.every(([member, value]) => Reflect.get(key, member) === value(cell)),
          );
          counted += own.length;
          expect([totalMinutes, trackedMinutes]).toEqual([minutesOf(billable(own)), minutesOf(own)]);
          expect(billedMinutes).toBe(billedOf(billable(own)));
          const currencies = [...new Set(own.map(({ dimensions }) => dimensions.currency))].sort();
          expect(amounts.map(({ currency }) => currency)).toEqual(currencies);
          for (const { currency, amount } of amounts) {
            const inCurrency = own.filter(({ dimensions }) => dimensions.currency === currency);
            const minor = inCurrency.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
            expect(amount).toBe(formatMinor(minor, currency));
          }
        }
        expect(counted).toBe(all.length);
      }),
    );
  });

  it('add up to the summary, and so do the columns of their table', () => {
    fc.assert(
      fc.property(cells, groupings, (all, by) => {
        const projects = new Map([...names.projects].map(([id, { name }]) => [id, name]));
        const { totalMinutes, trackedMinutes, billedMinutes, byCurrency } = summarize(all, projects, 'USD');
        const groups = groupCells(all, by, names);
        for (const rows of [groups, groupTable(groups, by).rows]) {
          const sum = (member: 'totalMinutes' | 'trackedMinutes' | 'billedMinutes') =>
            rows.reduce((total, row) => total + Number(row[member]), 0);
          expect([sum('totalMinutes'), sum('trackedMinutes'), sum('billedMinutes')]).toEqual([
            totalMinutes,
            trackedMinutes,
            billedMinutes,
          ]);
        }
        const ofGroups = new Set(groups.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)));
        expect([...ofGroups].sort()).toEqual(byCurrency.map(({ currency }) => currency));
      }),
    );
  });

  const cell = (dimensions: Partial<GroupedCell['dimensions']>, rest: Partial<GroupedCell> = {}): GroupedCell => ({
    dimensions: { projectId: null, clientId: null, currency: 'USD', billable: true, ...dimensions },
    minutes: 1,
    billedMinutes: 1,
    amountMinor: 0n,
    ...rest,
  });

  it('come by name, then id, and what has none last; the first grouping decides first', () => {
    const twins = { ...names, projects: new Map([...names.projects, ['a-site', { name: 'Site' }]]) };
    const all = ['site', null, 'a-site', 'app', 'deleted'].flatMap((projectId) =>
      ['2026-02-01', '2026-01-31'].map((period) => cell({ projectId }, { period })),
    );
    const keys = (...by: ('project' | 'day')[]) =>
      groupCells(all, by, twins).map(({ key: { projectId, date } }) =>
        [projectId, date].filter((each) => each !== undefined),
      );
    expect(keys('project')).toEqual([['app'], ['a-site'], ['site'], [null]]);
    expect(keys('day')).toEqual([['2026-01-31'], ['2026-02-01']]);
    expect(keys('day', 'project').slice(3, 5)).toEqual([
      [null, '2026-01-31'],
      ['app', '2026-02-01'],
    ]);
    expect(keys('project', 'day').slice(0, 2)).toEqual([
      ['app', '2026-01-31'],
      ['app', '2026-02-01'],
    ]);
  });

  it.each([
    ['project', 'projectId', 'projects'],
    ['client', 'clientId', 'clients'],
    ['user', 'userId', 'users'],
  ] as const)('come by id where the names of a %s are the same, and are not one', (by, member, named) => {
    const twins = { ...names, [named]: new Map(['b', 'a'].map((id) => [id, { name: 'Twin' }])) };
    const all = ['b', 'a'].map((id) => (by === 'user' ? cell({}, { userId: id }) : cell({ [member]: id })));
    const keys = ['a', 'b'].map((id) => ({ [member]: id, [`${by}Name`]: 'Twin' }));
    expect(groupCells(all, [by], twins).map(({ key }) => key)).toEqual(keys);
  });

  it('name users that nobody knows any more by their id alone', () => {
    expect(groupCells([cell({}, { userId: 'x' })], ['user'], names)[0]?.key).toEqual({ userId: 'x', userName: null });
  });

  it.each([
    ['project', ['projectId', 'projectName']],
    ['client', ['clientId', 'clientName']],
    ['user', ['userId', 'userName']],
    ['day', ['date']],
    ['week', ['week']],
    ['month', ['month']],
  ] as const)('by %s have a table that begins with %j', (by, members) => {
    expect(groupTable([], [by]).columns.slice(0, -5)).toEqual(members);
  });

  it('have a table with the members of the keys and a row for each currency', () => {
    const all = [
      cell({ projectId: 'app' }, { userId: 'ben' }),
      cell({ currency: 'JPY' }, { userId: 'ben', minutes: 2 }),
    ];
    const by = ['user', 'project'] as const;
    expect(groupTable(groupCells(all, by, names), by)).toMatchObject({
      columns: [
        'projectId',
        'projectName',
        'userId',
        'userName',
        'totalMinutes',
        'trackedMinutes',
        'billedMinutes',
        'currency',
        'amount',
      ],
      rows: [
        { projectName: 'App', userName: 'Ben', totalMinutes: 1, currency: 'USD', amount: '0.00' },
        { projectId: null, userName: 'Ben', totalMinutes: 2, currency: 'JPY', amount: '0' },
      ],
    });
  });
});

it('groups are as many as an answer holds', () => {
  const nothing = { totalMinutes: 0, trackedMinutes: 0, billedMinutes: 0, amounts: [] };
  const named = (projectName: string) => [{ key: { projectName }, ...nothing }];
  const room = MAX_ANSWER_BYTES - bytesInAnswer(JSON.stringify(named('')));
  expect(() => assertGroupsFit(named('x'.repeat(room)))).not.toThrow();
  const message = 'The range makes 1 groups, which are too long for one answer: ask for a narrower one.';
  const tooMany = refused('range_too_large', 'dateFrom', message);
  expect(() => assertGroupsFit(named('x'.repeat(room + 1)))).toThrow(tooMany);
});

describe('a list of groupings', () => {
  it.each(['project', 'client,user', 'month,week', 'day,project'])('may be %s', (list) => {
    expect(isGroupingList(list)).toBe(true);
    expect(groupingsIn(list).join()).toBe(list);
  });

  it.each(['', ',', 'projects', 'day,', 'day,day', 'day, week', 'Day', 'day,week,month', 'toString'])(
    'may not be "%s"',
    (list) => expect(isGroupingList(list)).toBe(false),
  );
});

describe('a week', () => {
  it.each([
    ['2024-02-29', '2024-02-26'],
    ['1900-01-01', '1900-01-01'],
    ['9998-12-30', '9998-12-28'],
  ])('of %s begins on %s', (date, monday) => expect(mondayOf(date)).toBe(monday));
});
