import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertInOrder,
  assertRange,
  monthOf,
  monthsFrom,
  monthsTouched,
  type Span,
  splitByMonths,
  splitSpan,
  yearOf,
} from '#shared/domain/date-range.ts';
import { refused } from '#test/support/refusals.ts';

const MILLISECONDS_PER_DAY = 86_400_000;

const dateOf = (day: number) => new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);

/** Days since 1970: four years and more, a leap year among them. */
const spanOfDays = fc.tuple(fc.integer({ min: 19_500, max: 21_000 }), fc.nat({ max: 1_200 }));

const lastOf = (date: string) =>
  new Date(Date.UTC(Number(yearOf(date)), Number(date.slice(5, 7)), 0)).toISOString().slice(0, 10);

const isIn = ({ from, to }: Span, value: string) => from <= value && value <= to;

describe('a span of dates', () => {
  it('is split into its whole years, the whole months beside them and the other dates, each in one place', () => {
    fc.assert(
      fc.property(spanOfDays, ([first, length]) => {
        const span = { from: dateOf(first), to: dateOf(first + length) };
        const { years, months, dates } = splitSpan(span);
        const misplaced: string[] = [];
        for (let day = first - 40; day <= first + length + 40; day++) {
          const date = dateOf(day);
          const [year, month] = [yearOf(date), monthOf(date)];
          const has = (begin: string, end: string) => isIn(span, begin) && isIn(span, end);
          const place = has(`${year}-01-01`, `${year}-12-31`)
            ? 'year'
            : has(`${month}-01`, lastOf(date))
              ? 'month'
              : 'date';
          const places = [
            ...(years && isIn(years, year) ? ['year'] : []),
            ...months.filter((part) => isIn(part, month)).map(() => 'month'),
            ...dates.filter((part) => isIn(part, date)).map(() => 'date'),
          ];
          if (places.join() !== (isIn(span, date) ? place : '')) misplaced.push(date);
        }
        expect(misplaced).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['2025-01-01', '2026-12-31', '2025', '2026', 0],
    ['2025-02-01', '2026-12-31', '2026', '2026', 1],
    ['2025-01-01', '2026-11-30', '2025', '2025', 1],
    ['2024-12-31', '2027-01-01', '2025', '2026', 0],
    ['0099-12-01', '0101-01-31', '0100', '0100', 2],
  ])('from %s to %s has the whole years %s to %s, and months in %i places', (from, to, first, last, places) => {
    const { years, months } = splitSpan({ from, to });
    expect([years, months.length]).toEqual([{ from: first, to: last }, places]);
  });

  it.each([
    ['2026-01-01', '2026-12-31', { months: { from: '2026-01', to: '2026-12' }, dates: [] }, 12],
    ['2026-01-31', '2026-02-01', { months: null, dates: [{ from: '2026-01-31', to: '2026-02-01' }] }, 2],
    [
      '0099-12-15',
      '0100-01-31',
      { months: { from: '0100-01', to: '0100-01' }, dates: [{ from: '0099-12-15', to: '0099-12-31' }] },
      2,
    ],
    ['9999-12-02', '9999-12-31', { months: null, dates: [{ from: '9999-12-02', to: '9999-12-31' }] }, 1],
    ['0000-01-01', '9999-12-31', { months: { from: '0000-01', to: '9999-12' }, dates: [] }, 120_000],
  ])(
    'is split from %s to %s into the whole months and the rest, and touches so many months',
    (from, to, split, touched) => {
      expect(splitByMonths({ from, to })).toEqual(split);
      expect(monthsTouched({ from, to })).toBe(touched);
      expect(monthsFrom(monthOf(from), touched).at(-1)).toBe(monthOf(to));
    },
  );
});

describe('two dates', () => {
  it.each([
    ['2026-02-01', undefined],
    [undefined, '2026-02-01'],
    ['2026-02-01', '2026-02-01'],
  ])('from %s to %s are in order', (from, to) => {
    expect(() => assertRange(from, to)).not.toThrow();
  });

  const [later, earlier] = ['2026-02-02', '2026-02-01'];

  it.each([
    ['date', 'dateFrom', () => assertRange(later, earlier)],
    ['date', 'filter.dateFrom', () => assertRange(later, earlier, 'filter')],
    ['due', 'dueFrom', () => assertInOrder('due', later, earlier)],
  ])('%s are not in order, and the fault is at %s', (name, path, check) => {
    const message = `${name}From must not be later than ${name}To.`;
    expect(check).toThrow(refused('invalid_date_range', path, message));
  });
});
