import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import { readUserZone } from '#shared/data/organization/time-zones.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { getSession } from '#shared/data/tracker/timers.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { presentStopped, stopSession } from '#shared/domain/tracker/timer-end.ts';
import { implement } from '#shared/http/implement.ts';
import { assertRunning, saveStopped } from '#shared/work/tracker/running-session.ts';
import { showSession } from '#shared/work/tracker/show-session.ts';

/** POST /v1/work/tracker/timer/{sessionId}/stop: ends the caller's running timer and books the time. */
export const handler = implement(stopTimer, {
  load: ({ params, principal }) => getSession(principal, params.sessionId),
  show: showSession,
  run: ({ body, now, newId, fresh, answer }) =>
    retrying(fresh, async (session) => {
      await assertRunning(session);
      const { organizationId, userId } = session;
      const [links, timeZone] = await Promise.all([
        readLinks(organizationId, [session]),
        body.createWorkEntry ? readUserZone(organizationId, userId) : undefined,
      ]);
      const stopped = stopSession(session, { ...body, timeZone }, links, newId(), now);
      const shown = presentStopped(stopped, links);
      const booked = stopped.entry ? [happening('entry.created', stopped.entry)] : [];
      await saveStopped(session, stopped, await answer(shown, happening('timer.stopped', session), ...booked));
      return shown;
    }),
});
