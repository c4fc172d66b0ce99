import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysOf, windowsOf } from '#shared/domain/day-page.ts';

const part = fc.record({
  date: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03', '2026-02-01'),
  entries: fc.integer({ min: 1, max: 9 }),
});

describe('pages over counted days', () => {
  it('hold exactly what a list of all items would', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (parts, offset, limit) => {
          const days = daysOf(parts);
          const all = days.flatMap(({ date, count }) =>
            Array.from({ length: count }, (_, position) => `${date}/${position}`),
          );
          const page = windowsOf(days, offset, limit).flatMap(({ date, skip, take }) =>
            Array.from({ length: take }, (_, position) => `${date}/${skip + position}`),
          );
          expect(page).toEqual(all.slice(offset, offset + limit));
        },
      ),
    );
  });

  it('come newest day first, each day with all of its parts', () => {
    const days = daysOf([
      { date: '2026-01-01', entries: 1 },
      { date: '2026-01-02', entries: 2 },
      { date: '2026-01-01', entries: 4 },
    ]);
    expect(days.map(({ date, count, parts }) => [date, count, parts.length])).toEqual([
      ['2026-01-02', 2, 1],
      ['2026-01-01', 5, 2],
    ]);
  });
});
