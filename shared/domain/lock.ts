import { Problem } from './problems.ts';

/** The last locked date, as `YYYY-MM-DD`; null: none. Entries on it, and on earlier dates, stay as they are. */
export type LockedThrough = string | null;

/** @param date `YYYY-MM-DD` */
export function isLocked(date: string, lockedThrough: LockedThrough): boolean {
  return lockedThrough !== null && date <= lockedThrough;
}

export function periodLocked(lockedThrough: LockedThrough): Problem {
  const detail = `The period up to ${lockedThrough} is closed: entries stay as they are there.`;
  return new Problem('period_locked', { detail, extensions: { lockedThrough } });
}

export function isPeriodLocked(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'period_locked';
}

/** @param session of the timer that runs on, as it is shown */
export function stopLocked({ details }: Problem, session: unknown): Problem {
  return new Problem('period_locked', { ...details, extensions: { ...details.extensions, session } });
}
