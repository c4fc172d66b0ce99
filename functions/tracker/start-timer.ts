import { startTimer } from '#shared/contract/tracker/timers.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readWantedLinks } from '#shared/data/tracker/links.ts';
import { saveStarted } from '#shared/data/tracker/timers.ts';
import { newSession, presentSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/timer/start: starts the caller's timer, unless one is running. */
export const handler = implement(startTimer, ({ body, principal, now, newId, answer }) =>
  retrying(
    () => readWantedLinks(principal.organizationId, body),
    async (links) => {
      const session = newSession(body, links, principal, newId(), now);
      const shown = presentSession(session, links);
      await saveStarted(session, await answer(shown));
      return shown;
    },
  ),
);
