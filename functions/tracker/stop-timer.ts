import { stopTimer } from '#shared/contract/tracker/timers.ts';
import { endSession, getSession } from '#shared/data/tracker/timers.ts';
import { presentStopped, stopSession } from '#shared/domain/tracker/timer-end.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/timer/{sessionId}/stop: ends the caller's running timer and books the time. */
export const handler = implement(stopTimer, {
  load: ({ params, principal }) => getSession(principal, params.sessionId),
  run: async ({ resource, body, now, newId, answer }) => {
    const { links, ...stopped } = await endSession(resource, (found) => {
      const ending = stopSession(resource, body, found, newId(), now);
      answer(presentStopped(ending, found));
      return ending;
    });
    return presentStopped(stopped, links);
  },
});
