import { startTimer } from '#shared/contract/tracker/timers.ts';
import { startSession } from '#shared/data/tracker/timers.ts';
import { newSession, presentSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/timer/start: starts the caller's timer, unless one is running. */
export const handler = implement(startTimer, async ({ body, principal, now, newId, answer }) => {
  const { session, links } = await startSession(principal, body, (found) => {
    const made = newSession(body, found, principal, newId(), now);
    answer(presentSession(made, found));
    return made;
  });
  return presentSession(session, links);
});
