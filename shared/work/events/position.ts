import { readFeed } from '#shared/data/events/feed.ts';
import { overloaded } from '#shared/domain/problems.ts';

/** Each numbers 500 events and more. What they have numbered is kept, so another request goes on. */
const READINGS = 20;

/**
 * @param after a number of the feed, or its present end
 * @throws Problem `events_expired`, `invalid_sequence`; `temporarily_unavailable` for an end that is too far
 */
export async function positionOf(organizationId: string, after: number | 'latest', now: Date): Promise<number> {
  if (after !== 'latest') {
    await readFeed(organizationId, after, 1, now);
    return after;
  }
  for (let readings = 0; readings < READINGS; readings++) {
    const { last, hasMore } = await readFeed(organizationId, undefined, 1, now);
    if (!hasMore) return last;
  }
  throw overloaded();
}
