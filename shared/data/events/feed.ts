import * as v from 'valibot';
import { eventPageKey, eventPartition, eventSort, feedKey, outboxKey } from '#shared/data/layout/keys.ts';
import { batchDelete } from '#shared/data/table/batch.ts';
import { readFirst } from '#shared/data/table/collection.ts';
import { readItem, tryUpdate } from '#shared/data/table/item.ts';
import { assignment, IS_ABSENT } from '#shared/data/table/writes.ts';
import {
  difference,
  type EventCounts,
  eventsExpired,
  invalidSequence,
  isKnown,
  plusEvents,
} from '#shared/domain/events/event.ts';
import type { FeedPart } from '#shared/domain/events/present-event.ts';
import { creationOf } from '#shared/domain/id.ts';
import { keptUntil, type OutboxItem, readOutbox, recordedEvent } from './outbox.ts';

/**
 * The events of an organization under their numbers. Whoever reads to the end numbers what lies in the outbox:
 *
 * 1. The oldest items become the next page, which must not exist yet. From then on their events have these numbers.
 * 2. They are deleted.
 * 3. The head says that the outbox is clean up to this page.
 *
 * A reader who dies in between leaves a page ahead of the head, and the next one first deletes what that page has. So no
 * event gets two numbers. Who loses a page to another reader takes it as it is, and goes on behind it. The end is reached
 * where the outbox is empty and then no page follows: what left the outbox before is in a page.
 */

const EVENTS_OF_A_PAGE = 50;

/** What one request numbers at most, so that a feed which nobody has read for days is caught up within seconds each. */
const PAGES_OF_A_REQUEST = 10;

const DAY_MILLISECONDS = 86_400_000;

/** A feed in which nothing was numbered for so long is cut: its next reader begins at the present end. */
const UNREAD_MILLISECONDS = 7 * DAY_MILLISECONDS;

/** A reader that is still far behind numbers what waits, where nobody has for so long. It would be cut. */
const UNNUMBERED_MILLISECONDS = DAY_MILLISECONDS;

/** No transaction is committed so long after its request began: a function of Lambda has ended by then. */
const LATEST_COMMIT_MILLISECONDS = 15 * 60_000;

const eventCounts = v.record(v.string(), v.number());

/** Small pages would be twice as large by the counts, so only the page of each fiftieth number has them. */
const COUNTED_EVERY = EVENTS_OF_A_PAGE;

/** A page that cuts the feed has no events, and takes one number: who has read up to there hears of the gap. */
const page = v.object({
  first: v.number(),
  last: v.number(),
  events: v.array(recordedEvent),
  /** The items of the outbox that the events come from. */
  outbox: v.array(v.string()),
  /** The events with numbers up to `last`, in some pages. */
  counts: v.optional(eventCounts),
  /** Of a cut: what was recorded before is left out. Milliseconds since the epoch. */
  cutAt: v.optional(v.number()),
  expiresAtEpochSeconds: v.number(),
});

type Page = v.InferOutput<typeof page>;

const head = v.object({
  /** Up to here events have numbers, and the outbox is clean. */
  last: v.number(),
  /** The events up to there. */
  counts: eventCounts,
  /** When the last page was made. Milliseconds since the epoch, as the next. */
  numberedAt: v.number(),
  cutAt: v.number(),
  /** The number of the oldest event that is kept, or of the next one. */
  oldest: v.number(),
  /** Of its page; 0 if there is none. */
  oldestExpiresAtEpochSeconds: v.number(),
});

type Head = v.InferOutput<typeof head>;

/**
 * Looks through the numbers behind one, also those that are given only now.
 *
 * @param after undefined for the present end, of which no events come
 * @param limit of numbers
 * @throws Problem `events_expired`, `invalid_sequence`
 */
export async function readFeed(
  organizationId: string,
  after: number | undefined,
  limit: number,
  now: Date,
): Promise<FeedPart> {
  const opened = await withoutExpired(organizationId, await openFeed(organizationId, now), now);
  // The present end lies behind all numbers.
  const position = after ?? Number.POSITIVE_INFINITY;
  const from = Math.min(position, opened.last);
  const numbered = from < opened.last ? await readPages(organizationId, from, Math.min(from + limit, opened.last)) : [];
  if (from < opened.last && !hasNext(numbered, from, now)) throw eventsExpired(opened.oldest);
  const isFarBehind = lastOf(numbered, from) < opened.last;
  if (isFarBehind && now.getTime() - opened.numberedAt > UNNUMBERED_MILLISECONDS) {
    await numberOutbox(organizationId, opened, [], () => false, now);
  }
  const { feed, pages, hasMore } = isFarBehind
    ? { feed: opened, pages: numbered, hasMore: true }
    : await numberOutbox(organizationId, opened, numbered, ({ last }) => last >= position + limit, now);
  if (position < feed.oldest - 1) throw eventsExpired(feed.oldest);
  const reached = lastOf(pages, from);
  if (after !== undefined && after > reached) throw invalidSequence(reached);
  const last = Math.min(reached, position + limit);
  const events = numberedIn(pages)
    .filter(({ sequence }) => sequence > position && sequence <= last)
    .filter(isKnown);
  return { events, last, oldest: feed.oldest, hasMore: hasMore || last < reached };
}

const numberedIn = (pages: readonly Page[]) =>
  pages.flatMap(({ first, events }) => events.map((event, at) => ({ ...event, sequence: first + at })));

export interface Behind {
  /** By number; undefined where the next event has expired. */
  readonly counts: ReadonlyMap<number, EventCounts | undefined>;
  /** Whether events are left out that have no number yet. */
  readonly hasMore: boolean;
}

/** Counts the events behind some numbers, by one query each, however far they lie back. Numbers what waits, as readers do. */
export async function countBehind(organizationId: string, positions: readonly number[], now: Date): Promise<Behind> {
  const opened = await withoutExpired(organizationId, await openFeed(organizationId, now), now);
  const { feed, hasMore } = await numberOutbox(organizationId, opened, [], () => false, now);
  const counts = [...new Set(positions)].map(
    async (position) => [position, await countFrom(organizationId, position, feed, now)] as const,
  );
  return { counts: new Map(await Promise.all(counts)), hasMore };
}

/** Adds up the events as far as the next page that has counts, and by these all that follow. */
async function countFrom(
  organizationId: string,
  position: number,
  { last, oldest, counts }: Head,
  now: Date,
): Promise<EventCounts | undefined> {
  if (position >= last) return {};
  const nextCounted = (Math.floor(position / COUNTED_EVERY) + 1) * COUNTED_EVERY;
  const pages = await readPages(organizationId, position, Math.min(nextCounted, last));
  if (position < oldest - 1 || !hasNext(pages, position, now)) return undefined;
  const near = numberedIn(pages).filter(({ sequence }) => sequence > position);
  // Without counts, the last page is the end of the feed.
  const before = pages.at(-1)?.counts ?? counts;
  return plusEvents(difference(counts, before), near);
}

/** Numbers what lies in the outbox, until it is empty or enough of it has numbers. */
async function numberOutbox(
  organizationId: string,
  opened: Head,
  numbered: readonly Page[],
  isEnough: (feed: Head) => boolean,
  now: Date,
): Promise<{ readonly feed: Head; readonly pages: readonly Page[]; readonly hasMore: boolean }> {
  const pages = [...numbered];
  let feed = opened;
  for (let count = 0; ; count++) {
    feed = await cleaned(organizationId, feed, pages.at(-1), now);
    const waiting = await readOutbox(organizationId, feed.cutAt, EVENTS_OF_A_PAGE);
    const hasMore = waiting.length > 0 && (isEnough(feed) || count >= PAGES_OF_A_REQUEST);
    const next = hasMore ? undefined : await nextPage(organizationId, feed, waiting, now);
    if (!next) return { feed, pages, hasMore };
    pages.push(next);
  }
}

/** The first reader of an organization makes the head. For what happened days before, nobody has waited. */
async function openFeed(organizationId: string, now: Date): Promise<Head> {
  const key = feedKey(organizationId);
  const item = await readItem(key);
  if (item) return v.parse(head, item);
  const [oldest] = await readOutbox(organizationId, 0, 1);
  const cutAt = oldest && isUnread(recordedAt(oldest), now) ? now.getTime() - LATEST_COMMIT_MILLISECONDS : 0;
  const made = { last: 0, counts: {}, numberedAt: now.getTime(), cutAt, oldest: 1, oldestExpiresAtEpochSeconds: 0 };
  await tryUpdate(key, assignment({ ...key, ...made }, v.parser(head), IS_ABSENT));
  return v.parse(head, await readItem(key));
}

const recordedAt = ({ sk }: OutboxItem): number => Date.parse(creationOf(sk));

const isUnread = (since: number, now: Date): boolean => now.getTime() - since > UNREAD_MILLISECONDS;

/** The pages that begin in the range, and the one that reaches into it. Up to the head none is missing. */
async function readPages(organizationId: string, after: number, upTo: number): Promise<Page[]> {
  const between = { from: eventSort(Math.max(0, after + 2 - EVENTS_OF_A_PAGE)), to: eventSort(upTo) };
  const most = upTo - after + EVENTS_OF_A_PAGE;
  const items = await readFirst({ partition: eventPartition(organizationId), between, direction: 'asc' }, most);
  return v.parse(v.array(page), items);
}

/** Whether the number behind this one is kept: DynamoDB deletes expired pages in any order. */
function hasNext(pages: readonly Page[], after: number, now: Date): boolean {
  const next = pages.find(({ last }) => last > after);
  return next !== undefined && next.first <= after + 1 && next.expiresAtEpochSeconds > now.getTime() / 1_000;
}

const lastOf = (pages: readonly Page[], from: number): number => Math.max(from, pages.at(-1)?.last ?? 0);

/** Ends what the making of a page has begun. Nothing is left to do for one that the head has. */
async function cleaned(organizationId: string, feed: Head, latest: Page | undefined, now: Date): Promise<Head> {
  if (!latest || latest.last <= feed.last) return feed;
  await batchDelete(latest.outbox.map((id) => outboxKey(organizationId, id)));
  const { last, events, cutAt, expiresAtEpochSeconds } = latest;
  // `oldest` is the number of this page already.
  const isFirstKept = feed.oldestExpiresAtEpochSeconds === 0;
  const changes = {
    last,
    counts: plusEvents(feed.counts, events),
    numberedAt: now.getTime(),
    ...(isFirstKept && { oldestExpiresAtEpochSeconds: expiresAtEpochSeconds }),
    ...(cutAt !== undefined && { cutAt, oldest: last + 1, oldestExpiresAtEpochSeconds: 0 }),
  };
  await changeHead(organizationId, changes, '#last < :new_last');
  return { ...feed, ...changes };
}

/** Another reader may be further. */
async function changeHead(organizationId: string, changes: Partial<Head>, condition: string): Promise<void> {
  const key = feedKey(organizationId);
  await tryUpdate(
    key,
    assignment({ ...key, ...changes }, v.parser(v.partial(head)), { ConditionExpression: condition }),
  );
}

/** @returns the page that has the next place, which another reader may have made; undefined if nothing is left for it */
async function nextPage(
  organizationId: string,
  feed: Head,
  waiting: readonly OutboxItem[],
  now: Date,
): Promise<Page | undefined> {
  const key = eventPageKey(organizationId, feed.last + 1);
  const made = pageOf(feed, waiting, now);
  const isOwn = made && (await tryUpdate(key, assignment({ ...key, ...made }, v.parser(page), IS_ABSENT)));
  const item = isOwn ? made : await readItem(key);
  return item && v.parse(page, item);
}

/** @param waiting the oldest items of the outbox */
function pageOf(feed: Head, waiting: readonly OutboxItem[], now: Date) {
  const [oldest] = waiting;
  if (!oldest) return undefined;
  const first = feed.last + 1;
  const expiresAtEpochSeconds = keptUntil(now);
  if (isUnread(Math.max(recordedAt(oldest), feed.numberedAt), now)) {
    const cutAt = now.getTime() - LATEST_COMMIT_MILLISECONDS;
    return { first, last: first, events: [], outbox: [], cutAt, expiresAtEpochSeconds };
  }
  const taken = fitting(waiting);
  const events = taken.flatMap((item) => item.events);
  const last = feed.last + events.length;
  const isCounted = last % COUNTED_EVERY < events.length;
  const outbox = taken.map(({ sk }) => sk);
  return {
    first,
    last,
    events,
    ...(isCounted && { counts: plusEvents(feed.counts, events) }),
    outbox,
    expiresAtEpochSeconds,
  };
}

/** Those of the items whose events are no more than a page has. An item stays whole. */
function fitting(items: readonly OutboxItem[]): OutboxItem[] {
  let count = 0;
  return items.filter(({ events }) => {
    count += events.length;
    return count <= EVENTS_OF_A_PAGE;
  });
}

/** How many pages are looked at for the oldest that has not expired. DynamoDB deletes expired ones within two days. */
const EXPIRED_AT_ONCE = 100;

async function withoutExpired(organizationId: string, feed: Head, now: Date): Promise<Head> {
  const { oldestExpiresAtEpochSeconds: expiry } = feed;
  const seconds = now.getTime() / 1_000;
  if (expiry === 0 || expiry > seconds) return feed;
  const between = { from: eventSort(feed.oldest), to: eventSort(feed.last) };
  const reading = { partition: eventPartition(organizationId), between, direction: 'asc' } as const;
  const pages = v.parse(v.array(page), await readFirst(reading, EXPIRED_AT_ONCE));
  const kept = pages.find(({ expiresAtEpochSeconds }) => expiresAtEpochSeconds > seconds);
  const passed = pages.at(-1)?.last ?? feed.last;
  const changes = {
    oldest: kept?.first ?? passed + 1,
    oldestExpiresAtEpochSeconds: kept?.expiresAtEpochSeconds ?? (passed < feed.last ? expiry : 0),
  };
  await changeHead(organizationId, { last: feed.last, ...changes }, '#last = :new_last AND #oldest < :new_oldest');
  return { ...feed, ...changes };
}
