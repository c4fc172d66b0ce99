import { dateOf, FIRST_WORK_DATE, plusDays, plusMinutes } from '#shared/domain/tracker/work-time.ts';

/**
 * How far a connection's scheduled sync has come. The provider may have more than is taken at once, so a sync reads in
 * slices of dates: a slice that does not fit is halved, and each slice is imported before the next one is read.
 */

/** What the provider is asked for. Dates are inclusive; without one, that side is open. */
export interface RemoteQuestion {
  readonly from?: string;
  readonly to?: string;
  /** Only what has changed since this instant. */
  readonly updatedSince?: string;
}

/** A question that is answered slice by slice, from the earliest date on. */
export interface Reading {
  /** The tick of the clock at which it began. Whatever changes later is for the next reading. */
  readonly at: string;
  /** null: whatever lies on the dates, changed or not */
  readonly updatedSince: string | null;
  /** The first date of the next slice; null: open */
  readonly from: string | null;
  /** The last date of the next slice; null: open */
  readonly to: string | null;
  /** The last dates of the slices behind it. */
  readonly laterEnds: readonly (string | null)[];
  /** Whether a day was left out. */
  readonly hasGap: boolean;
}

export interface Progress {
  /** All changes up to this instant are imported; null: none */
  readonly syncedUntil: string | null;
  /** When a comparison of all work of the last months began that has ended; null: there was none. */
  readonly comparedAt: string | null;
  /** Whether that comparison left out a day with more entries than are taken at once. */
  readonly hasGap: boolean;
  /** What is not read to its end; null: nothing */
  readonly reading: Reading | null;
}

export const NO_PROGRESS: Progress = { syncedUntil: null, comparedAt: null, hasGap: false, reading: null };

const OVERLAP_MINUTES = 60;
const FIRST_WINDOW_DAYS = 30;
const COMPARED_DAYS = 90;
const DAYS_BETWEEN_COMPARISONS = 7;
const MINUTES_PER_DAY = 1_440;

/**
 * What a sync reads. It goes on with what is not read to its end. The first sync reads the last days by their dates.
 * Every later sync asks for what changed since, which also finds work that was booked or corrected late.
 */
export function readingOf({ reading, syncedUntil }: Progress, at: string): Reading {
  if (reading) return reading;
  if (syncedUntil === null) return lastDays(FIRST_WINDOW_DAYS, at);
  const updatedSince = plusMinutes(syncedUntil, -OVERLAP_MINUTES);
  return { at, updatedSince, from: null, to: null, laterEnds: [], hasGap: false };
}

/** A working day can begin up to fourteen hours before the UTC day, so the range includes tomorrow. */
function lastDays(days: number, at: string): Reading {
  const today = dateOf(new Date(at));
  return {
    at,
    updatedSince: null,
    from: plusDays(today, -days),
    to: plusDays(today, 1),
    laterEnds: [],
    hasGap: false,
  };
}

export function questionOf({ from, to, updatedSince }: Reading): RemoteQuestion {
  return { ...(from && { from }), ...(to && { to }), ...(updatedSince && { updatedSince }) };
}

/** The progress once the next slice of a reading is imported. @param at the tick of the clock of the present sync */
export function afterSlice(progress: Progress, reading: Reading, at: string): Progress {
  const { to, laterEnds } = reading;
  const [next, ...others] = laterEnds;
  if (to === null || next === undefined) return afterReading(progress, reading, at);
  return { ...progress, reading: { ...reading, from: plusDays(to, 1), to: next, laterEnds: others } };
}

/**
 * All that had changed by the time a reading began is imported. Once a week, a comparison of the last months follows,
 * because asking for changes may have missed something. The first sync is a comparison.
 */
function afterReading({ syncedUntil, ...before }: Progress, reading: Reading, at: string): Progress {
  if (reading.updatedSince === null) {
    const { at: comparedAt, hasGap } = reading;
    return { syncedUntil: syncedUntil ?? comparedAt, comparedAt, hasGap, reading: null };
  }
  const next = isToCompare(before.comparedAt, at) ? lastDays(COMPARED_DAYS, at) : null;
  return { ...before, syncedUntil: reading.at, reading: next };
}

function isToCompare(comparedAt: string | null, at: string): boolean {
  return comparedAt === null || plusMinutes(comparedAt, DAYS_BETWEEN_COMPARISONS * MINUTES_PER_DAY) <= at;
}

/**
 * The progress when the next slice of a reading is more than is taken at once: the slice is halved. A comparison leaves
 * out a day that does not fit.
 *
 * @returns undefined where nothing may be left out
 */
export function withSmallerSlice(progress: Progress, reading: Reading, at: string): Progress | undefined {
  const { to, laterEnds } = reading;
  const middle = middleOf(reading);
  if (middle) return { ...progress, reading: { ...reading, to: middle, laterEnds: [to, ...laterEnds] } };
  const isComparison = reading.updatedSince === null && progress.syncedUntil !== null;
  return isComparison ? afterSlice(progress, { ...reading, hasGap: true }, at) : undefined;
}

/** Work of a later day than this is one slice. */
const MAX_DAYS_AHEAD = 36_500;
const MILLISECONDS_PER_DAY = 86_400_000;

/** @returns undefined for a single day */
function middleOf({ at, from, to }: Reading): string | undefined {
  const first = from ?? FIRST_WORK_DATE;
  const last = to ?? plusDays(dateOf(new Date(at)), MAX_DAYS_AHEAD);
  const days = (Date.parse(last) - Date.parse(first)) / MILLISECONDS_PER_DAY;
  return days < 1 ? undefined : plusDays(first, Math.floor(days / 2));
}
