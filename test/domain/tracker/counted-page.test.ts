import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, periodsOf, windowsOf } from '#shared/domain/tracker/counted-page.ts';

const part = fc.record({
  period: fc.constantFrom('2026-01', '2026-02-27', '2026-02-28', '2026-03', '2026-04-01'),
  entries: fc.integer({ min: 1, max: 9 }),
});

const periodOf = ({ period }: { readonly period: string }) => period;

describe('pages over counted periods', () => {
  it('hold exactly what a list of all items would', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (parts, offset, limit) => {
          const periods = periodsOf(parts, periodOf);
          const all = periods.flatMap(({ period, count }) =>
            Array.from({ length: count }, (_, position) => `${period}/${position}`),
          );
          const page = windowsOf(periods, offset, limit).flatMap(({ period, skip, take }) =>
            Array.from({ length: take }, (_, position) => `${period}/${skip + position}`),
          );
          expect(all).toHaveLength(countOf(parts));
          expect(page).toEqual(all.slice(offset, offset + limit));
        },
      ),
    );
  });

  it('come newest period first, days among months, each with all of its parts', () => {
    const periods = periodsOf(
      [
        { period: '2026-01', entries: 1 },
        { period: '2026-02-28', entries: 2 },
        { period: '2026-02-01', entries: 8 },
        { period: '2026-03', entries: 16 },
        { period: '2026-01', entries: 4 },
      ],
      periodOf,
    );
    expect(periods.map(({ period, count, parts }) => [period, count, parts.length])).toEqual([
      ['2026-03', 16, 1],
      ['2026-02-28', 2, 1],
      ['2026-02-01', 8, 1],
      ['2026-01', 5, 2],
    ]);
  });
});
