import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { outboxKey, outboxPartition, outboxSortAt } from '#shared/data/layout/keys.ts';
import { readFirst } from '#shared/data/table/collection.ts';
import { known } from '#shared/data/table/known.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { put } from '#shared/data/table/writes.ts';
import { ACTING_VIA, type Actor, type Happening } from '#shared/domain/events/happening.ts';

/**
 * What has happened and has no number yet. An item is written in the transaction of its change, so it is there if the
 * change is. Writers do not meet here, as they would at a counter: readers number what they find (`feed.ts`).
 */

const KEPT_DAYS = 90;

export const recordedEvent = v.object({
  id: v.string(),
  type: v.string(),
  timestamp: v.string(),
  actor: v.object({
    userId: v.nullable(v.string()),
    keyId: v.nullable(v.string()),
    via: known(ACTING_VIA, 'platform'),
  }),
  object: v.object({
    id: v.string(),
    invoiceId: v.optional(v.string()),
    projectId: v.optional(v.string()),
    clientId: v.optional(v.string()),
  }),
  entryIds: v.optional(v.pipe(v.array(v.string()), v.readonly())),
});

/** Events go from here to their page as they are: a newer version may have recorded what this one does not know. */
const outboxItem = v.object({ sk: v.string(), events: v.array(v.record(v.string(), v.unknown())) });

/** The events of one transaction, under the id of the first. */
export type OutboxItem = v.InferOutput<typeof outboxItem>;

/** A page of the feed takes each item whole. */
const EVENTS_OF_AN_ITEM = 50;

/** Of several items of one request, the earlier one has the lower id. */
let recorded = 0;

/**
 * The write that goes with a change.
 *
 * @param happenings at least one, at most 50, in their order
 * @param now when the request began: readers number by it
 */
export function record(organizationId: string, actor: Actor, now: Date, happenings: readonly Happening[]): Write {
  if (happenings.length > EVENTS_OF_AN_ITEM) throw new Error('An item of the outbox has at most 50 events.');
  const timestamp = now.toISOString();
  const events = happenings.map((what) => ({ id: idAt(now), ...what, timestamp, actor }));
  const key = outboxKey(organizationId, events[0]?.id ?? '');
  const item = { ...key, events, expiresAtEpochSeconds: keptUntil(now) };
  return put(item, v.parser(v.object({ events: v.array(recordedEvent) })));
}

const idAt = (now: Date): string => uuidV7({ msecs: now.getTime(), seq: recorded++ });

/** As many writes as the events take: none for none. */
export function recordAll(organizationId: string, actor: Actor, now: Date, happenings: readonly Happening[]): Write[] {
  return batchesOf(happenings, EVENTS_OF_AN_ITEM).map((part) => record(organizationId, actor, now, part));
}

/** In seconds since the epoch. */
export function keptUntil(now: Date): number {
  return Math.ceil(now.getTime() / 1_000) + KEPT_DAYS * 86_400;
}

/** Behind all ids. */
const LAST_ID = '~';

/** The oldest items, in one call. @param from milliseconds since the epoch; what was recorded before is left out */
export async function readOutbox(organizationId: string, from: number, limit: number): Promise<OutboxItem[]> {
  const between = { from: outboxSortAt(from), to: LAST_ID };
  const items = await readFirst({ partition: outboxPartition(organizationId), between, direction: 'asc' }, limit);
  return v.parse(v.array(outboxItem), items);
}
