import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { billedMinutesOf, roundedMinutes, type TimeRounding } from '#shared/domain/time-rounding.ts';
import { MAX_DURATION_MINUTES } from '#shared/domain/tracker/entry.ts';
import { draws } from '#test/support/draws.ts';
import { anyRounding } from '#test/support/rounding.ts';

const rule = (minutes: TimeRounding['minutes'], more: Partial<TimeRounding> = {}): TimeRounding => ({
  minutes,
  mode: 'up',
  minimumMinutes: 0,
  ...more,
});

/** The same told by the steps that there are, and not by remainders. */
function model(minutes: number, { minutes: step, mode, minimumMinutes }: TimeRounding): number {
  const counted = minutes < minimumMinutes ? minimumMinutes : minutes;
  const steps = [0, 1, 2].map((each) => (Math.trunc(counted / step) + each) * step);
  if (mode === 'down') return steps.findLast((each) => each <= counted) ?? 0;
  if (mode === 'up') return steps.find((each) => each >= counted) ?? 0;
  const distance = (each: number) => Math.abs(each - counted);
  return steps.filter((each) => each > 0).sort((a, b) => distance(a) - distance(b) || b - a)[0] ?? 0;
}

describe('the rounding of time', () => {
  it.each([
    [5, rule(15, { minimumMinutes: 20 }), 30],
    [63, rule(6, { mode: 'nearest' }), 66],
    [1, rule(15, { mode: 'nearest' }), 15],
    [1, rule(15, { mode: 'down', minimumMinutes: 20 }), 15],
    [MAX_DURATION_MINUTES - 1, rule(60), MAX_DURATION_MINUTES],
  ])('bills %i minutes by %o as %i', (minutes, by, billed) => {
    expect(roundedMinutes(minutes, by)).toBe(billed);
  });

  it('is what a count of the steps says, and stays in the bounds of an entry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_DURATION_MINUTES }), anyRounding, (minutes, by) => {
        const billed = roundedMinutes(minutes, by);
        expect(billed).toBe(by === null ? minutes : model(minutes, by));
        expect(billed).toBeLessThanOrEqual(MAX_DURATION_MINUTES);
        expect(billed > 0 || by?.mode === 'down').toBe(true);
      }),
      { numRuns: draws(1_250) },
    );
  });

  it('leaves what is not billable alone, and takes no other minutes for it', () => {
    const work = { durationMinutes: 50, billable: false };
    expect(billedMinutesOf(work, rule(15))).toBe(50);
    expect(billedMinutesOf(work, rule(15), 50)).toBe(50);
    expect(() => billedMinutesOf(work, null, 60)).toThrow('Only a billable entry');
  });
});
