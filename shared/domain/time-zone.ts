/** On `Intl` alone: CONTRIBUTING.md compares it with packages. */

/** An IANA name. */
export type TimeZone = string;

export const UTC: TimeZone = 'UTC';

/** `Intl` also knows offsets such as `+01:00`, which follow no summer time. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Date and time that a clock on the wall shows, as milliseconds since the epoch if they were of UTC. */
type WallTime = number;

const MILLISECONDS_PER_SECOND = 1_000;
const MILLISECONDS_PER_DAY = 86_400_000;

/** @returns `YYYY-MM-DD` */
export function dateIn(zone: TimeZone, instant: Date): string {
  return new Date(wallTimeOf(zone)(instant.getTime())).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/**
 * A time that a change to summer time skips is moved forward by the gap. One that comes twice is the first.
 *
 * @param date `YYYY-MM-DD`
 * @param time `HH:mm`
 */
export function instantIn(zone: TimeZone, date: string, time: string): Date {
  return instantOf(wallTimeOf(zone), Date.parse(`${date}T${time}Z`));
}

/** The same clock time on another day. */
export function plusDaysIn(zone: TimeZone, instant: Date, days: number): Date {
  const wallTimeAt = wallTimeOf(zone);
  return instantOf(wallTimeAt, wallTimeAt(instant.getTime()) + days * MILLISECONDS_PER_DAY);
}

function instantOf(wallTimeAt: (instant: number) => WallTime, wallTime: WallTime): Date {
  const offsetAt = (instant: number) => wallTimeAt(instant) - instant;
  // No offset is as long as a day, and no two changes are so close.
  const [before, after] = [offsetAt(wallTime - MILLISECONDS_PER_DAY), offsetAt(wallTime + MILLISECONDS_PER_DAY)];
  const shown = [wallTime - before, wallTime - after].filter((instant) => wallTimeAt(instant) === wallTime);
  return new Date(shown.length > 0 ? Math.min(...shown) : wallTime - before);
}

/** UTC needs no `Intl`, whose first use takes ten milliseconds of a processor. */
function wallTimeOf(zone: TimeZone): (instant: number) => WallTime {
  if (zone === UTC) return (instant) => instant;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...SHOWN });
  return (instant) => {
    const parts = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 0, day, hour, minute, second] = MEMBERS.map((member) => parts.get(member));
    const fraction = instant - Math.floor(instant / MILLISECONDS_PER_SECOND) * MILLISECONDS_PER_SECOND;
    return Date.UTC(year, month - 1, day, hour, minute, second) + fraction;
  };
}

const MEMBERS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const SHOWN: Intl.DateTimeFormatOptions = Object.fromEntries(MEMBERS.map((member) => [member, 'numeric']));
