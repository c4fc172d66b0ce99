import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  billableMinutes,
  clockSpanOf,
  hoursOf,
  isDate,
  isWorkDate,
  minutesIn,
  minutesOf,
  minutesOfHours,
  moveToDate,
  plusDays,
} from '#shared/domain/tracker/work-time.ts';
import { refused } from '#test/support/refusals.ts';

const start = Date.parse('2026-11-20T23:59:30.000Z');
const minutesAfter = (milliseconds: number) => billableMinutes(new Date(start), new Date(start + milliseconds));

describe('billable minutes', () => {
  it.each([
    [-5_000, 1],
    [0, 1],
  ])('of %i ms are %i', (milliseconds, minutes) => {
    expect(minutesAfter(milliseconds)).toBe(minutes);
  });

  it('are at least one, cover the time, and by less than a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (milliseconds) => {
        const minutes = minutesAfter(milliseconds);
        expect(Number.isInteger(minutes)).toBe(true);
        expect(minutes * 60_000 - milliseconds).toBeGreaterThanOrEqual(0);
        expect(minutes * 60_000 - milliseconds).toBeLessThan(60_000);
      }),
    );
  });
});

describe('dates', () => {
  it.each([
    ['0000-12-31', false, false],
    ['0001-01-01', true, false],
    ['1899-12-31', true, false],
    ['1900-01-01', true, true],
    ['2026-02-29', false, false],
    ['2028-02-29', true, true],
    ['2026-11-1', false, false],
    ['9998-12-30', true, true],
    ['9998-12-31', true, false],
    ['10000-01-01', false, false],
  ])('are in the calendar, and of work from 1900 to 9998: %s', (text, isInCalendar, isOfWork) => {
    expect([isDate(text), isWorkDate(text)]).toEqual([isInCalendar, isOfWork]);
  });
});

it.each([
  ['9999-12-30', 1, '9999-12-31'],
  ['9999-12-30', 2, '9999-12-31'],
])('from %s it is %i days to %s, and there is no date behind 9999', (date, days, expected) => {
  expect(plusDays(date, days)).toBe(expected);
});

describe('the span of two clock times', () => {
  it('is of elapsed minutes, of which a change of summer time makes more or fewer', () => {
    const zone = 'America/Los_Angeles';
    const night = { startTime: '23:00', endTime: '05:00' };
    expect(minutesOf(clockSpanOf('2026-03-07', night, zone))).toBe(300);
    expect(minutesOf(clockSpanOf('2026-10-31', night, zone))).toBe(420);
    const skipped = (endTime: string) => clockSpanOf('2026-03-08', { startTime: '02:30', endTime }, zone);
    expect(minutesOf(skipped('03:31'))).toBe(1);
    const message = 'A change of summer time on this day puts the start at the end or behind it.';
    expect(() => skipped('03:30')).toThrow(refused('invalid_time_range', 'startTime', message));
  });

  it('keeps the second of two times on its own date', () => {
    const second = '2026-11-01T09:30:00.000Z';
    expect(moveToDate(second, '2026-11-01', '2026-11-01', 'America/Los_Angeles')).toBe(second);
    expect(moveToDate(second, '2026-11-01', '2026-11-02', 'America/Los_Angeles')).toBe('2026-11-02T09:30:00.000Z');
  });
});

describe('a duration in words', () => {
  it.each([
    ['1h 30m', 90],
    ['1h30', 90],
    ['1H 30min', 90],
    ['1:30', 90],
    ['1.5h', 90],
    ['1.025 h', 62],
    ['90 min', 90],
    ['90m', 90],
    ['90', 90],
    ['2h', 120],
    ['0:05', 5],
    ['', undefined],
    ['h', undefined],
    ['1:60', undefined],
    ['1h 30s', undefined],
    ['-90', undefined],
    ['an hour', undefined],
    ['1234567', undefined],
  ])('%j has %s minutes', (text, minutes) => {
    expect(minutesIn(text)).toBe(minutes);
  });
});

describe('hours', () => {
  it('are no minute where they are so few that they are written with an exponent', () => {
    expect(minutesOfHours(1e-7)).toBe(0);
  });

  it('are the minutes again when multiplied and rounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 525_600 }), (minutes) => {
        expect(hoursOf(minutes)).toMatch(/^\d+(\.\d{0,5}[1-9])?$/);
        expect(Math.round(Number(hoursOf(minutes)) * 60)).toBe(minutes);
      }),
    );
  });
});
