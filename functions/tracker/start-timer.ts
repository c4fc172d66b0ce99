import { startTimer } from '#shared/contract/tracker/timers.ts';
import { startSession } from '#shared/data/tracker/timers.ts';
import { newSession, presentSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/timer/start: starts the caller's timer, unless one is running. */
export const handler = implement(startTimer, async ({ body, principal, now, newId }) => {
  const { session, links } = await startSession(principal, body, (found) =>
    newSession(body, found, principal, newId(), now),
  );
  return presentSession(session, links);
});
