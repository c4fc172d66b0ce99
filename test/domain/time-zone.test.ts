import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { dateIn, isTimeZone } from '#shared/domain/time-zone.ts';
import { newEntry, reviseEntry } from '#shared/domain/tracker/entry.ts';
import { newSession } from '#shared/domain/tracker/timer.ts';
import { stopSession } from '#shared/domain/tracker/timer-end.ts';
import { draws } from '#test/support/draws.ts';
import { NO_LINKS } from '#test/support/no-links.ts';
import { refused } from '#test/support/refusals.ts';

/** The oracle is how Swedes write an instant: `2026-11-22 20:30:00`. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const WEEK = 7 * DAY;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Date and time that the wall shows, as milliseconds since the epoch if they were of UTC. */
function wallAt(zone: string, instant: number): number {
  const style = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', style);
  formats.set(zone, format);
  return Date.parse(`${format.format(instant)}Z`);
}

const textOf = (instant: number): string => new Date(instant).toISOString();
const dateOf = (wall: number): string => textOf(wall).slice(0, 10);
const timeOf = (wall: number): string => textOf(wall).slice(11, 16);

interface Change {
  readonly zone: string;
  readonly at: number;
  /** The first moment that the wall no longer shows, or shows again. */
  readonly before: number;
  /** What the wall shows instead. */
  readonly after: number;
}

function changesIn(zone: string, year: number): Change[] {
  const offset = (instant: number) => wallAt(zone, instant) - instant;
  const weeks = Array.from({ length: 53 }, (_, week) => Date.UTC(year, 0) + week * WEEK);
  return weeks.flatMap((from) => {
    let [low, high] = [from, from + WEEK];
    if (offset(low) === offset(high)) return [];
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / MINUTE / 2) * MINUTE;
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    return { zone, at: high, before: wallAt(zone, low) + MINUTE, after: wallAt(zone, high) };
  });
}

function instantOf({ at, before, after }: Change, wall: number): number {
  return at + wall - (wall < Math.max(before, after) ? before : after);
}

const ZONES = Intl.supportedValuesOf('timeZone');

/** Offsets of former years had seconds too. */
const FIRST_YEAR = 1973;

const CHANGES = ZONES.flatMap((zone) => [FIRST_YEAR, 1995, 2011, 2026].flatMap((year) => changesIn(zone, year)));

const zones = fc.constantFrom(...ZONES);
const changes = fc.constantFrom(...CHANGES);
const minutesAround = fc.integer({ min: -200, max: 200 });
const lengths = fc.integer({ min: 1, max: 400 });

/** Half of them near a change of summer time. */
const moments = fc.oneof(
  fc.record({
    zone: zones,
    instant: fc.integer({ min: Date.UTC(FIRST_YEAR, 0), max: Date.UTC(2200, 0) }),
  }),
  fc
    .tuple(changes, minutesAround, fc.nat(MINUTE))
    .map(([{ zone, at }, minutes, rest]) => ({ zone, instant: at + minutes * MINUTE + rest })),
);

const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
const now = new Date('2026-11-23T12:00:00.000Z');

function booked(timeZone: string, start: number, end: number) {
  const clockTimes = { entryDate: dateOf(start), startTime: timeOf(start), endTime: timeOf(end), timeZone };
  const draft = { description: 'Work', durationMinutes: 60, billable: true, ...clockTimes };
  return newEntry(draft, null, owner, 'id', now);
}

function timed(timeZone: string, startedAt: number, stoppedAt: number) {
  const session = newSession({ description: '' }, NO_LINKS, owner, 'id', new Date(startedAt));
  const stop = { createWorkEntry: true, timeZone };
  return stopSession(session, stop, NO_LINKS, 'entry', new Date(stoppedAt)).entry;
}

const spanOf = (startedAt: number, endedAt: number) => ({ startedAt: textOf(startedAt), endedAt: textOf(endedAt) });

const IMPOSSIBLE = 'A change of summer time on this day puts the start at the end or behind it.';
const impossible = (path: string) => refused('invalid_time_range', path, IMPOSSIBLE);

describe('an entry', () => {
  it('shows date and clock times as the wall did, of a timer and where they are typed in', () => {
    const elapsed = fc.integer({ min: 1, max: 1_200 });
    fc.assert(
      fc.property(moments, elapsed, ({ zone, instant }, minutes) => {
        const begin = Math.floor(instant / MINUTE) * MINUTE;
        const [start, end] = [wallAt(zone, begin), wallAt(zone, begin + minutes * MINUTE)];
        expect(timed(zone, instant, instant)?.entryDate).toBe(dateOf(start));
        fc.pre(start < end && end < start + DAY);
        const { startedAt, endedAt } = booked(zone, start, end);
        expect([startedAt, endedAt].map((each) => wallAt(zone, Date.parse(each ?? '')))).toEqual([start, end]);
        expect(Date.parse(startedAt ?? '')).toBeLessThanOrEqual(begin);
      }),
      { numRuns: draws(500) },
    );
  });

  it('moves a time that is skipped forward by the gap, and takes the first of two', () => {
    fc.assert(
      fc.property(changes, minutesAround, lengths, (change, minutes, length) => {
        const start = change.before + minutes * MINUTE;
        const end = start + length * MINUTE;
        const [startedAt, endedAt] = [instantOf(change, start), instantOf(change, end)];
        const book = () => booked(change.zone, start, end);
        if (startedAt < endedAt) expect(book()).toMatchObject(spanOf(startedAt, endedAt));
        else expect(book).toThrow(impossible('startTime'));
      }),
      { numRuns: draws(250) },
    );
  });

  it('keeps its clock times on another date, and its elapsed minutes where a duration comes with it', () => {
    const ages = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(changes, minutesAround, lengths, ages, (change, minutes, length, age) => {
        const { zone, before } = change;
        const start = before + minutes * MINUTE;
        const end = start + length * MINUTE;
        const entry = booked(zone, start - age * DAY, end - age * DAY);
        const moved = (more = {}) =>
          reviseEntry(entry, { entryDate: dateOf(start), timeZone: zone, ...more }, null, now);
        const [startedAt, endedAt] = [instantOf(change, start), instantOf(change, end)];
        expect(moved({ durationMinutes: 5 })).toMatchObject(spanOf(startedAt, startedAt + 5 * MINUTE));
        if (startedAt < endedAt) expect(moved()).toMatchObject({ ...spanOf(startedAt, endedAt), durationMinutes: 60 });
        else expect(moved).toThrow(impossible('entryDate'));
      }),
      { numRuns: draws(250) },
    );
  });
});

it('of UTC needs no clock of a zone, whose first use takes ten milliseconds', () => {
  const clock = vi.spyOn(Intl, 'DateTimeFormat');
  expect(dateIn('UTC', new Date('2026-11-22T23:59:59.999Z'))).toBe('2026-11-22');
  expect(clock).not.toHaveBeenCalled();
});

describe('a name', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific'])(
    'of a time zone is %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['', ' ', 'Berlin', 'Europe/Bonn', '+01:00', '-0800', 'UTC+1', 'Europe/Berlin ', 'null'])(
    'of none is %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});
