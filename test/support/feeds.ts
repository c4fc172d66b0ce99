import { v7 as uuidV7 } from 'uuid';
import { readFeed } from '#shared/data/events/feed.ts';
import { record } from '#shared/data/events/outbox.ts';
import { eventPageKey, feedKey } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import type { NumberedEvent } from '#shared/domain/events/event.ts';
import { type Happening, happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import { putItems } from './table-scan.ts';

/** Feeds that are filled and read past the API. */

export const DAY = new Date('2026-03-02T12:00:00.000Z');

export const later = (days: number, minutes = 0) => new Date(DAY.getTime() + (days * 24 * 60 + minutes) * 60_000);

const EVENTS_OF_A_CHANGE = 5;

/** Changes of some events each, which lie in the outbox. @returns the ids of their objects, oldest first */
export async function happen(organizationId: string, events: number, from?: Date): Promise<string[]> {
  const happenings = Array.from({ length: events }, () => happening('product.created', { id: uuidV7() }));
  await recordEach(organizationId, batchesOf(happenings, EVENTS_OF_A_CHANGE), from);
  return happenings.map(({ object }) => object.id);
}

const nextMoments = new Map<string, number>();

/** Now, but behind the changes before, which may be written sooner than their milliseconds pass. */
function behindAll(organizationId: string, changes: number): Date {
  const from = Math.max(Date.now(), nextMoments.get(organizationId) ?? 0);
  nextMoments.set(organizationId, from + changes);
  return new Date(from);
}

/** @param changes what each of them makes happen, a millisecond apart */
export async function recordEach(
  organizationId: string,
  changes: readonly (readonly Happening[])[],
  from = behindAll(organizationId, changes.length),
): Promise<void> {
  const writes = changes.map((happenings, i) =>
    record(organizationId, SCHEDULE, new Date(from.getTime() + i), happenings),
  );
  await putItems(writes.flatMap(({ Put }) => Put?.Item ?? []));
}

/** All that lies behind a number, with what each request answers. */
export async function follow(organizationId: string, after = 0, limit = 100, now = new Date()) {
  const events: NumberedEvent[] = [];
  for (let last = after; ; ) {
    const read = await readFeed(organizationId, last, limit, now);
    events.push(...read.events);
    last = read.last;
    if (!read.hasMore) return { events, last, oldest: read.oldest };
  }
}

type Followed = Pick<Awaited<ReturnType<typeof follow>>, 'events'>;

export const objectsOf = ({ events }: Followed) => events.map(({ object }) => object.id);

export const numbersOf = ({ events }: Followed) => events.map(({ sequence }) => sequence);

export const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

export const itemsIn = (partition: string) => readCollection({ partition, direction: 'asc' });

/**
 * What was numbered long ago: full pages that begin at 1.
 *
 * @param isOpened whether a page will be read, and so must be there
 */
export async function givenPages(
  organizationId: string,
  pages: number,
  expiresAt: Date,
  isOpened = (_page: number) => true,
): Promise<void> {
  const expiresAtEpochSeconds = Math.ceil(expiresAt.getTime() / 1_000);
  const recorded = record(organizationId, SCHEDULE, new Date(), [happening('product.created', { id: uuidV7() })]);
  const events = Array.from({ length: 50 }, () => recorded.Put?.Item?.events[0]);
  const items = Array.from({ length: pages }, (_, i) => {
    const numbers = { first: 50 * i + 1, last: 50 * (i + 1) };
    const counts = { 'product.created': numbers.last };
    const key = eventPageKey(organizationId, numbers.first);
    return { ...key, ...numbers, events, counts, outbox: [], expiresAtEpochSeconds };
  });
  const last = 50 * pages;
  const head = { last, counts: { 'product.created': last }, numberedAt: Date.now(), cutAt: 0, oldest: 1 };
  await putItems([
    ...items.filter((_, page) => isOpened(page)),
    { ...feedKey(organizationId), ...head, oldestExpiresAtEpochSeconds: expiresAtEpochSeconds },
  ]);
}
