import { plusMinutes } from '#shared/domain/tracker/work-time.ts';

/** A circuit breaker: scheduled syncs leave a provider alone that fails one of them after the other. */
export interface Breaker {
  /** Syncs in a row that the provider failed, of all organizations. */
  readonly failures: number;
  /** If these are too many: until when no sync begins. */
  readonly openUntil: string;
}

export const CLOSED: Breaker = { failures: 0, openUntil: '' };

const TOLERATED_FAILURES = 10;

/** Long enough for a provider to recover, and short beside the interval of a sync. */
const PAUSE_MINUTES = 10;

/** After a pause, so many syncs try whether the provider is back. */
const TRIALS = 3;

export const pauseAfter = (now: Date): string => plusMinutes(now.toISOString(), PAUSE_MINUTES);

export function isOpen({ failures, openUntil }: Breaker, now: Date): boolean {
  return failures >= TOLERATED_FAILURES && now.toISOString() < openUntil;
}

/** How many syncs may begin. */
export function permittedSyncs(breaker: Breaker, now: Date): number {
  if (breaker.failures < TOLERATED_FAILURES) return Number.POSITIVE_INFINITY;
  return isOpen(breaker, now) ? 0 : TRIALS;
}
