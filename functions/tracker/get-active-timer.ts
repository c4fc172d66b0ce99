import { getActiveTimer } from '#shared/contract/tracker/get-active-timer.ts';
import { findRunningSession } from '#shared/data/tracker/timers.ts';
import { implement } from '#shared/http/implement.ts';
import { showSession } from '#shared/work/tracker/show-session.ts';

/** GET /v1/work/tracker/timer/active: the caller's running timer, or null. */
export const handler = implement(getActiveTimer, async ({ principal }) => {
  const session = await findRunningSession(principal);
  return session ? showSession(session) : null;
});
