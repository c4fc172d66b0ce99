import { startTimer } from '#shared/contract/tracker/start-timer.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readWantedLinks } from '#shared/data/tracker/links.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { newSession, presentSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';
import { startSession } from '#shared/work/tracker/running-session.ts';

/** POST /v1/work/tracker/timer/start: starts the caller's timer, unless one is running. */
export const handler = implement(startTimer, ({ body, principal, now, newId, answer }) =>
  retrying(
    () => readWantedLinks(principal.organizationId, body),
    async (links) => {
      const session = newSession(body, links, principal, newId(), now);
      const shown = presentSession(session, links);
      await startSession(session, await answer(shown, happening('timer.started', shown)));
      return shown;
    },
  ),
);
