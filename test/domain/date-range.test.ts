import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOf, monthsFrom, monthsTouched, type Span, splitByMonths } from '#shared/domain/date-range.ts';

const MILLISECONDS_PER_DAY = 86_400_000;

const dateOf = (day: number) => new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);

/** Days since 1970: four years and more, a leap year among them. */
const spanOfDays = fc.tuple(fc.integer({ min: 19_500, max: 21_000 }), fc.nat({ max: 800 }));

const isIn = ({ from, to }: Span, value: string) => from <= value && value <= to;

describe('a span of dates', () => {
  it('is split into whole months and dates beside them, of which each date is in exactly one', () => {
    fc.assert(
      fc.property(spanOfDays, ([first, length]) => {
        const span = { from: dateOf(first), to: dateOf(first + length) };
        const { months, dates } = splitByMonths(span);
        const misplaced: string[] = [];
        for (let day = first - 40; day <= first + length + 40; day++) {
          const date = dateOf(day);
          const places = [months !== null && isIn(months, monthOf(date)), ...dates.map((part) => isIn(part, date))];
          if (places.filter(Boolean).length !== (isIn(span, date) ? 1 : 0)) misplaced.push(date);
        }
        expect(misplaced).toEqual([]);
      }),
    );
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
