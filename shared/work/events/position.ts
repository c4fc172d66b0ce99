import { readFeed } from '#shared/data/events/feed.ts';

/**
 * @param after a number of the feed, or its present end
 * @throws Problem `events_expired`, `invalid_sequence`
 */
export async function positionOf(organizationId: string, after: number | 'latest', now: Date): Promise<number> {
  if (after !== 'latest') {
    await readFeed(organizationId, after, 1, now);
    return after;
  }
  for (;;) {
    const { last, hasMore } = await readFeed(organizationId, undefined, 1, now);
    if (!hasMore) return last;
  }
}
