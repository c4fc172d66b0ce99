import { stopTimer } from '#shared/contract/tracker/timers.ts';
import { endSession, getSession } from '#shared/data/tracker/timers.ts';
import { presentEntry } from '#shared/domain/tracker/entry.ts';
import { presentSession, stopSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/timer/{sessionId}/stop: ends the caller's running timer and books the time. */
export const handler = implement(stopTimer, {
  load: ({ params, principal }) => getSession(principal, params.sessionId),
  run: async ({ resource, body, now, newId }) => {
    const { session, entry, links } = await endSession(resource, (found) =>
      stopSession(resource, body, found, newId(), now),
    );
    return {
      session: presentSession(session, links),
      workEntry: entry && presentEntry(entry, links),
      durationMinutes: session.durationMinutes,
    };
  },
});
