import { fault } from './problems.ts';

/** Steps that a clock shows: divisors of an hour. */
export const ROUNDING_STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60] as const;

export const ROUNDING_MODES = ['up', 'nearest', 'down'] as const;

export const MAX_MINIMUM_MINUTES = 480;

/** How the minutes of an entry become those that are billed: a project's rule, else the organization's. */
export interface TimeRounding {
  readonly minutes: (typeof ROUNDING_STEPS)[number];
  readonly mode: (typeof ROUNDING_MODES)[number];
  /** An entry counts as so many at least, before it is rounded. */
  readonly minimumMinutes: number;
}

/** Halves go up. Only `down` makes nothing of some time. */
export function roundedMinutes(minutes: number, rule: TimeRounding | null): number {
  if (rule === null) return minutes;
  const counted = Math.max(minutes, rule.minimumMinutes);
  const rest = counted % rule.minutes;
  const below = counted - rest;
  if (rest === 0 || rule.mode === 'down') return below;
  const isUp = rule.mode === 'up' || below === 0 || 2 * rest >= rule.minutes;
  return isUp ? below + rule.minutes : below;
}

interface Work {
  readonly durationMinutes: number;
  readonly billable: boolean;
}

/** What is not billable has the minutes of the work. @throws Problem `validation_failed` where it is given others */
export function billedMinutesOf(
  { durationMinutes, billable }: Work,
  rule: TimeRounding | null,
  given: number | null = null,
): number {
  if (billable) return given ?? roundedMinutes(durationMinutes, rule);
  if (given === null || given === durationMinutes) return durationMinutes;
  throw fault('validation_failed', 'billedMinutes', 'Only a billable entry has other minutes than those of the work.');
}
