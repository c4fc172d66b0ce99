import { dateOf, FIRST_WORK_DATE, plusDays, plusMinutes } from '#shared/domain/tracker/work-time.ts';

/** A sync reads slices of dates: one that exceeds the limit is halved, and each is imported before the next is read. */

/** Dates are inclusive; without one, that side is open. */
export interface RemoteQuestion {
  readonly from?: string;
  readonly to?: string;
  readonly updatedSince?: string;
}

/** A question answered slice by slice, from the earliest date on. */
export interface Reading {
  /** The scheduled time at which it began; later changes are for the next reading. */
  readonly at: string;
  /** Null asks for all work, changed or not. */
  readonly updatedSince: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** The last dates of the following slices. */
  readonly laterEnds: readonly (string | null)[];
  readonly hasGap: boolean;
  /** In the slices so far. */
  readonly unusableEntries: number;
}

export interface Progress {
  /** All changes until then are imported; null: none. */
  readonly syncedUntil: string | null;
  /** When the last completed comparison of the past months began; null: none. */
  readonly comparedAt: string | null;
  readonly hasGap: boolean;
  /** How many the last sync met: the most of one reading, because a comparison finds again what has changed. */
  readonly unusableEntries: number;
  /** Null: nothing is unfinished. */
  readonly reading: Reading | null;
}

export const NO_PROGRESS: Progress = {
  syncedUntil: null,
  comparedAt: null,
  hasGap: false,
  unusableEntries: 0,
  reading: null,
};

const OVERLAP_MINUTES = 60;
const FIRST_WINDOW_DAYS = 30;
export const COMPARED_DAYS = 90;
const DAYS_BETWEEN_COMPARISONS = 7;
const MINUTES_PER_DAY = 1_440;

/** The first sync reads days; later ones ask for changes, which also finds work that was booked or corrected late. */
export function readingOf({ reading, syncedUntil }: Progress, at: string): Reading {
  if (reading) return reading;
  if (syncedUntil === null) return lastDays(FIRST_WINDOW_DAYS, at);
  const updatedSince = plusMinutes(syncedUntil, -OVERLAP_MINUTES);
  return { ...WHOLE, at, updatedSince, from: null, to: null };
}

const WHOLE = { laterEnds: [], hasGap: false, unusableEntries: 0 };

/** Includes tomorrow: a working day can begin up to fourteen hours before the UTC day. */
function lastDays(days: number, at: string): Reading {
  const today = dateOf(new Date(at));
  return { ...WHOLE, at, updatedSince: null, from: plusDays(today, -days), to: plusDays(today, 1) };
}

export function questionOf({ from, to, updatedSince }: Reading): RemoteQuestion {
  return { ...(from && { from }), ...(to && { to }), ...(updatedSince && { updatedSince }) };
}

/**
 * The progress once the next slice is imported.
 *
 * @param at the scheduled time of the present sync
 * @param unusable how many entries of the slice cannot be imported
 */
export function afterSlice(before: Progress, { to, laterEnds, ...part }: Reading, at: string, unusable = 0): Progress {
  const unusableEntries = part.unusableEntries + unusable;
  const progress = { ...before, unusableEntries: Math.max(before.unusableEntries, unusableEntries) };
  const reading = { ...part, unusableEntries };
  const [next, ...others] = laterEnds;
  if (to === null || next === undefined) return afterReading(progress, reading, at);
  return { ...progress, reading: { ...reading, from: plusDays(to, 1), to: next, laterEnds: others } };
}

/** Asking for changes may miss some, so a comparison of the last months follows once a week. */
function afterReading(
  { syncedUntil, ...before }: Progress,
  reading: Pick<Reading, 'at' | 'updatedSince' | 'hasGap'>,
  at: string,
): Progress {
  if (reading.updatedSince === null) {
    const { at: comparedAt, hasGap } = reading;
    return { ...before, syncedUntil: syncedUntil ?? comparedAt, comparedAt, hasGap, reading: null };
  }
  const next = isToCompare(before.comparedAt, at) ? lastDays(COMPARED_DAYS, at) : null;
  return { ...before, syncedUntil: reading.at, reading: next };
}

function isToCompare(comparedAt: string | null, at: string): boolean {
  return comparedAt === null || plusMinutes(comparedAt, DAYS_BETWEEN_COMPARISONS * MINUTES_PER_DAY) <= at;
}

/** A comparison leaves out a day that does not fit. @returns undefined where nothing may be left out */
export function withSmallerSlice(progress: Progress, reading: Reading, at: string): Progress | undefined {
  const { to, laterEnds } = reading;
  const middle = middleOf(reading);
  if (middle) return { ...progress, reading: { ...reading, to: middle, laterEnds: [to, ...laterEnds] } };
  const isComparison = reading.updatedSince === null && progress.syncedUntil !== null;
  return isComparison ? afterSlice(progress, { ...reading, hasGap: true }, at) : undefined;
}

/** Later work is one slice. */
const MAX_DAYS_AHEAD = 36_500;
const MILLISECONDS_PER_DAY = 86_400_000;

function middleOf({ at, from, to }: Reading): string | undefined {
  const first = from ?? FIRST_WORK_DATE;
  const last = to ?? plusDays(dateOf(new Date(at)), MAX_DAYS_AHEAD);
  const days = (Date.parse(last) - Date.parse(first)) / MILLISECONDS_PER_DAY;
  return days < 1 ? undefined : plusDays(first, Math.floor(days / 2));
}
