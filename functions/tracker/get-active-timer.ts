import { getActiveTimer } from '#shared/contract/tracker/get-active-timer.ts';
import { readLinkNames } from '#shared/data/tracker/links.ts';
import { findRunningSession } from '#shared/data/tracker/timers.ts';
import { presentSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/timer/active: the caller's running timer, or null. */
export const handler = implement(getActiveTimer, async ({ principal }) => {
  const session = await findRunningSession(principal);
  return session ? presentSession(session, await readLinkNames(principal.organizationId, session)) : null;
});
