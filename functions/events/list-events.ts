import { listEvents } from '#shared/contract/events/list-events.ts';
import { readFeed } from '#shared/data/events/feed.ts';
import { isWanted, mayRead } from '#shared/domain/events/event.ts';
import { presentPage } from '#shared/domain/events/present-event.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/events: what has happened behind a number, oldest first, as far as the caller may read it. */
export const handler = implement(listEvents, async ({ query: { after, limit, type }, principal, now }) => {
  const read = await readFeed(principal.organizationId, after, limit, now);
  return presentPage(read, (event) => isWanted(event, type) && mayRead(principal.scopes, event));
});
