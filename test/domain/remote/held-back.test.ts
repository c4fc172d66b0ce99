import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOf, yearOf } from '#shared/domain/date-range.ts';
import {
  daysToReread,
  endedWaits,
  type HeldBack,
  heldBackRow,
  isForgotten,
  isSameWait,
  lockedRow,
  markReread,
} from '#shared/domain/remote/held-back.ts';
import { isHeldBack, outcomeOf } from '#shared/domain/remote/import-outcome.ts';
import { unitsOf } from '#shared/domain/remote/import-units.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { importOf, plannedRow } from '#test/support/remote-rows.ts';

const DAY = '2026-11-20';
const NOON = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:00.001Z';

const heldBack = (values: Partial<HeldBack> = {}): HeldBack => ({
  entryId: 'entry',
  externalId: '1',
  date: DAY,
  content: 'new',
  holdId: 'hold',
  lockedDate: null,
  heldBackAt: NOON,
  ...values,
});

const owner = { organizationId: 'org', userId: 'ana', currency: 'EUR' };
const job = (trigger: 'confirm' | 'schedule', updateChanged = true) => importOf({ trigger, updateChanged });

function entry(values: { holdId?: string | null; isEdited?: boolean; updatedAt?: string; content?: string } = {}) {
  const { holdId = null, isEdited = false, updatedAt = NOON, content = 'old' } = values;
  const draft = { description: 'Work', durationMinutes: 60, billable: true, entryDate: DAY };
  const imported = { accountId: 'a', externalId: '1', content, jobId: 'before', isEdited, userLabel: null };
  return { ...newEntry(draft, null, owner, 'entry', new Date(0)), holdId, imported, updatedAt };
}

describe('a row is held back', () => {
  it.each<[string, boolean, Parameters<typeof isHeldBack>]>([
    ['a sync', true, [plannedRow(), entry({ holdId: 'hold' }), job('schedule')]],
    ['a confirm, over an edit', true, [plannedRow(), entry({ holdId: 'hold', isEdited: true }), job('confirm')]],
    ['a sync, over an edit', false, [plannedRow(), entry({ holdId: 'hold', isEdited: true }), job('schedule')]],
    ['a confirm of new rows alone', false, [plannedRow(), entry({ holdId: 'hold' }), job('confirm', false)]],
    ['a sync, without a change', false, [plannedRow(), entry({ holdId: 'hold', content: 'new' }), job('schedule')]],
    ['a sync, of an entry that is free', false, [plannedRow(), entry(), job('schedule')]],
  ])('by %s: %s', (_, expected, [planned, stored, by]) => {
    expect(isHeldBack(planned, stored, by)).toBe(expected);
    if (expected) expect(outcomeOf(planned, stored, by, new Date(0))).toBeNull();
  });
});

it.each([
  ['2026-11-20T11:59:59.999Z', 30],
  [NOON, 30],
  [LATER, undefined],
])(
  'a sync that reads again what was held back at noon overwrites an edit, but no later one: %s',
  (updatedAt, minutes) => {
    const after = outcomeOf(
      plannedRow({ heldBackAt: NOON }),
      entry({ isEdited: true, updatedAt }),
      job('schedule'),
      new Date(0),
    );
    expect(after?.durationMinutes).toBe(minutes);
  },
);

it('it is the same wait only of the same change for the same hold or date', () => {
  expect(isSameWait(heldBack(), heldBack({ heldBackAt: LATER }))).toBe(true);
  expect(isSameWait(heldBack(), heldBack({ content: 'other' }))).toBe(false);
  expect(isSameWait(heldBack(), heldBack({ holdId: 'other' }))).toBe(false);
  expect(isSameWait(heldBack(), heldBack({ lockedDate: DAY }))).toBe(false);
  expect(isSameWait(heldBack(), undefined)).toBe(false);
});

it('a row waits from the beginning of its import, for a hold or for the earlier one of its dates', () => {
  const [row, begun] = [plannedRow({ date: DAY }), { ...job('schedule'), createdAt: NOON }];
  const on = (entryDate: string) => lockedRow(row, { ...entry(), entryDate }, begun).lockedDate;
  expect(heldBackRow(row, 'hold', begun)).toEqual(heldBack());
  expect(lockedRow(row, undefined, begun)).toEqual(heldBack({ holdId: null, lockedDate: DAY }));
  expect([on('2026-11-19'), on(DAY), on('2026-11-21')]).toEqual(['2026-11-19', DAY, DAY]);
});

it.each([
  ['2026-08-22', DAY, false],
  ['2026-08-21', DAY, true],
  ['2026-08-21', null, false],
])(
  'a row of %s that waits for %s is given up when a comparison would not find it: %s',
  (date, lockedDate, expected) => {
    expect(isForgotten(heldBack({ date, lockedDate }), NOON)).toBe(expected);
  },
);

const dates = ['2026-11-18', '2026-11-19', DAY];
const place = fc.record({ entryId: fc.constantFrom('1', '2', '3'), date: fc.constantFrom(...dates) });
const places = fc.uniqueArray(place, { selector: ({ entryId, date }) => `${entryId} ${date}` });
/** The provider has a piece of work on one day. */
const remote = fc.uniqueArray(place, { selector: ({ entryId }) => entryId });

it('reading days again ends each wait but those of rows that still want something, which the import ends', () => {
  fc.assert(
    fc.property(places, remote, fc.func(fc.boolean()), (waits, found, isWanted) => {
      const reread = waits.map(heldBack);
      const wanted = markReread(found.map(plannedRow), reread).filter(isWanted);
      const ended = endedWaits(reread, wanted);
      const carried = wanted.filter(({ heldBackAt }) => heldBackAt !== undefined);
      const idsOf = (of: readonly { entryId: string; date: string }[]) => of.map(({ entryId, date }) => entryId + date);
      expect([...idsOf(ended), ...idsOf(carried)].toSorted()).toEqual(idsOf(reread).toSorted());
    }),
  );
});

it.each([
  ['many days', Array.from({ length: 120 }, (_, i) => heldBack({ date: `day ${1_000 + i}` })), 50, 50],
  ['a crowded day', Array.from({ length: 5_000 }, (_, i) => heldBack({ entryId: `${i}` })), 1, 1_000],
  ['a few', [heldBack(), heldBack({ entryId: 'other' })], 1, 2],
])('one sync reads a bounded number of days for a bounded number of rows: %s', (_, released, days, rows) => {
  const reread = daysToReread(released);
  expect(reread).toHaveLength(days);
  expect(reread.flatMap(([, each]) => each)).toEqual(released.slice(0, rows));
});

it('a unit fits into a transaction, also if each of its entries leaves its day and ends a wait', () => {
  const rows = Array.from({ length: 500 }, (_, i) =>
    plannedRow({
      entryId: `entry ${i}`,
      heldBackAt: NOON,
      date: `${2020 + (i % 5)}-0${1 + (i % 9)}-01`,
      projectId: `${i % 4}`,
    }),
  );
  for (const unit of unitsOf(rows, true)) {
    const pages = unit.rows.flatMap(({ date, projectId }) => [
      monthOf(date),
      `${projectId}`,
      `${projectId} ${monthOf(date)}`,
      `${projectId} ${yearOf(date)}`,
    ]);
    // Its two items, five sums that it leaves, and the wait; the mark of the unit, the counters and the event.
    expect(8 * unit.rows.length + new Set(pages).size + 3).toBeLessThanOrEqual(100);
  }
});
