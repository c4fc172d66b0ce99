import { readLinkNames } from '#shared/data/tracker/links.ts';
import { presentSession, type Session } from '#shared/domain/tracker/timer.ts';

export async function showSession<S extends Session>(session: S) {
  return presentSession(session, await readLinkNames(session.organizationId, session));
}
