import { readEnd, readFeed } from '#shared/data/events/feed.ts';

/**
 * @param after a number of the feed, or its present end
 * @throws Problem `events_expired`, `invalid_sequence`; `temporarily_unavailable` for an end that is too far
 */
export async function positionOf(organizationId: string, after: number | 'latest', now: Date): Promise<number> {
  if (after === 'latest') return (await readEnd(organizationId, now)).last;
  await readFeed(organizationId, after, 1, now);
  return after;
}
