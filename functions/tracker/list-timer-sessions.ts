import { listTimerSessions } from '#shared/contract/tracker/list-timer-sessions.ts';
import { readDirectoryFor } from '#shared/data/directory/directory.ts';
import { listSessions } from '#shared/data/tracker/timers.ts';
import { presentSession } from '#shared/domain/tracker/timer.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/timer/sessions: lists the caller's own sessions, newest first. */
export const handler = implement(listTimerSessions, async ({ query, principal }) => {
  const { items, total } = await listSessions(principal, query);
  const links = await readDirectoryFor(principal.organizationId, items);
  return { items: items.map((session) => presentSession(session, links)), total };
});
