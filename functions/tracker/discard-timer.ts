import { discardTimer } from '#shared/contract/tracker/timers.ts';
import { endSession, getSession } from '#shared/data/tracker/timers.ts';
import { presentSession } from '#shared/domain/tracker/timer.ts';
import { discardSession } from '#shared/domain/tracker/timer-end.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/timer/{sessionId}/discard: ends the caller's running timer and books nothing. */
export const handler = implement(discardTimer, {
  load: ({ params, principal }) => getSession(principal, params.sessionId),
  run: async ({ resource, now, answer }) => {
    const { session, links } = await endSession(resource, (found) => {
      const discarded = discardSession(resource, now);
      answer(presentSession(discarded, found));
      return { session: discarded, entry: null };
    });
    return presentSession(session, links);
  },
});
