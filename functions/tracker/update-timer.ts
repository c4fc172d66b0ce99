import { updateTimer } from '#shared/contract/tracker/update-timer.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readWantedLinks } from '#shared/data/tracker/links.ts';
import { getSession, saveRunning } from '#shared/data/tracker/timers.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { presentSession, reviseSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';
import { assertRunning } from '#shared/work/tracker/running-session.ts';
import { showSession } from '#shared/work/tracker/show-session.ts';

/** PATCH /v1/work/tracker/timer/{sessionId}: changes what is sent of the caller's running timer. */
export const handler = implement(updateTimer, {
  load: ({ params, principal }) => getSession(principal, params.sessionId),
  show: showSession,
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, async (session) => {
      await assertRunning(session);
      const links = await readWantedLinks(session.organizationId, body, [session]);
      const changed = reviseSession(session, body, links, now);
      const shown = presentSession(changed, links);
      await saveRunning(session, changed, await answer(shown, happening('timer.updated', shown)));
      return shown;
    }),
});
