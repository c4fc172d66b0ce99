import { discardTimer } from '#shared/contract/tracker/discard-timer.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { getSession, saveEnded } from '#shared/data/tracker/timers.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { presentSession } from '#shared/domain/tracker/timer.ts';
import { endSession } from '#shared/domain/tracker/timer-end.ts';
import { implement } from '#shared/http/implement.ts';
import { assertRunning } from '#shared/work/tracker/running-session.ts';
import { showSession } from '#shared/work/tracker/show-session.ts';

/** POST /v1/work/tracker/timer/{sessionId}/discard: ends the caller's running timer and books nothing. */
export const handler = implement(discardTimer, {
  load: ({ params, principal }) => getSession(principal, params.sessionId),
  show: showSession,
  run: ({ now, fresh, answer }) =>
    retrying(fresh, async (session) => {
      await assertRunning(session);
      const links = await readLinks(session.organizationId, [session]);
      const discarded = endSession(session, 'discarded', now);
      const shown = presentSession(discarded, links);
      const others = await answer(shown, happening('timer.discarded', shown));
      await saveEnded(session, { session: discarded, entry: null }, others);
      return shown;
    }),
});
