import { setTimeout as sleep } from 'node:timers/promises';
import { readFeed } from '#shared/data/events/feed.ts';
import { findWebhook, readStanding, type StoredWebhook, trySaveWebhook } from '#shared/data/events/webhooks.ts';
import type { NumberedEvent } from '#shared/domain/events/event.ts';
import {
  afterFailure,
  afterSuccess,
  isDelivering,
  isSentTo,
  isWaiting,
  mayDeliver,
  pausedAt,
  restingFrom,
} from '#shared/domain/events/webhook.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { WebhookMessage } from '#shared/queue/webhook-message.ts';
import { wakeWebhooks } from '#shared/queue/webhooks.ts';
import { ATTEMPT_MILLISECONDS, attempt, hangUp, letterOf, readSecrets } from './attempt.ts';

/**
 * Delivers what a webhook lacks, one event after the other. Before each, it looks what the webhook and its maker are by
 * now; after each, it keeps the position. So whoever dies in between has sent one event that comes again. A change of the
 * webhook meanwhile discards the outcome, and the event comes again as well if it is still wanted.
 */

/** An attempt, and what is read and kept around it. */
const DELIVERY_MILLISECONDS = ATTEMPT_MILLISECONDS + 8_000;

/** A longer wait is left to the schedule. */
const SHORT_WAIT_MILLISECONDS = 10_000;

const LOOK_MILLISECONDS = 1_000;

const EVENTS_AT_ONCE = 50;

export async function deliverEvents(message: WebhookMessage, remainingMilliseconds: () => number): Promise<void> {
  const { organizationId, webhookId, from, until = 0 } = message;
  const webhook = await findWebhook(organizationId, webhookId);
  if (!webhook) return;
  // A timer may end a millisecond early, and the attempt of this moment would be left to the schedule.
  if (isDelivering(webhook)) await sleep(Math.max(0, Math.min(from - Date.now() + 1, SHORT_WAIT_MILLISECONDS)));
  const run: Run = { remainingMilliseconds, plainSecrets: new Map() };
  try {
    while ((await catchUp(webhook, run)) && Date.now() < until) await sleep(LOOK_MILLISECONDS);
  } finally {
    hangUp();
  }
}

/** What one delivery leaves to the next. */
interface Run {
  readonly remainingMilliseconds: () => number;
  readonly plainSecrets: Map<string, string>;
  ahead?: Ahead;
}

/** What was read of the feed behind a number. */
interface Ahead {
  readonly after: number;
  readonly events: readonly NumberedEvent[];
  readonly last: number;
  readonly hasMore: boolean;
}

type Step = 'goes on' | 'is through' | 'stops';

/** @returns whether it is through, and so may go on when more has happened */
async function catchUp(webhook: StoredWebhook, run: Run): Promise<boolean> {
  for (;;) {
    const step = await deliverNext(webhook, run);
    if (step !== 'goes on') return step === 'is through';
  }
}

async function deliverNext(known: StoredWebhook, run: Run): Promise<Step> {
  const now = new Date();
  const { webhook, ...maker } = await readStanding(known, now);
  if (!webhook || isWaiting(webhook, now)) return 'stops';
  if (!isDelivering(webhook)) return keepFeed(webhook, now);
  if (run.remainingMilliseconds() < DELIVERY_MILLISECONDS) return leave(webhook, now);
  const ahead = mayDeliver(maker) ? await readAhead(webhook, run.ahead, now) : undefined;
  if (!ahead) return pause(webhook, now);
  const event = ahead.events.find((each) => isSentTo(webhook, each));
  if (!event) return passOver(webhook, ahead, ahead !== run.ahead);
  if (ahead !== run.ahead) {
    // What has just been read may have happened after a rotation or a revocation, so it waits for another look.
    run.ahead = ahead;
    return 'goes on';
  }
  run.ahead = { ...ahead, after: event.sequence, events: ahead.events.slice(ahead.events.indexOf(event) + 1) };
  return send(webhook, event, await readSecrets(webhook, now, run.plainSecrets));
}

/** @param held while it has more @returns undefined where the next events have expired */
async function readAhead(
  { organizationId, after }: StoredWebhook,
  held: Ahead | undefined,
  now: Date,
): Promise<Ahead | undefined> {
  if (held?.after === after && held.events.length > 0) return held;
  try {
    return { after, ...(await readFeed(organizationId, after, EVENTS_AT_ONCE, now)) };
  } catch (error) {
    if (error instanceof Problem && error.code === 'events_expired') return undefined;
    throw error;
  }
}

async function send(webhook: StoredWebhook, event: NumberedEvent, secrets: readonly string[]): Promise<Step> {
  const failure = await attempt(webhook, letterOf(event), secrets, new Date());
  const now = new Date();
  if (!failure) {
    await trySaveWebhook(webhook, { after: event.sequence, ...afterSuccess(webhook, now) });
    return 'goes on';
  }
  const outcome = afterFailure(webhook, failure, now, Math.random());
  // What it does not want before this event stays passed over.
  const saved = await trySaveWebhook(webhook, { after: event.sequence - 1, ...outcome });
  if (!saved) return 'goes on';
  const next = new Date(saved.nextAttemptAt ?? Number.POSITIVE_INFINITY);
  if (next.getTime() - now.getTime() < SHORT_WAIT_MILLISECONDS) await leave(saved, next);
  return 'stops';
}

/** What it does not want needs no delivery. @param isNew whether it was read just now, and not before an attempt */
async function passOver(webhook: StoredWebhook, { last, hasMore }: Ahead, isNew: boolean): Promise<Step> {
  if (last > webhook.after) await trySaveWebhook(webhook, { after: last });
  return isNew && !hasMore ? 'is through' : 'goes on';
}

/** Another message goes on. */
async function leave({ organizationId, id: webhookId }: StoredWebhook, from: Date): Promise<Step> {
  await wakeWebhooks([{ organizationId, webhookId, from: from.getTime() }]);
  return 'stops';
}

async function pause(webhook: StoredWebhook, now: Date): Promise<Step> {
  await trySaveWebhook(webhook, pausedAt(now));
  return 'stops';
}

/** A feed unread for seven days is cut, so one that stands still has it read daily. */
async function keepFeed(webhook: StoredWebhook, now: Date): Promise<Step> {
  if (Date.parse(webhook.dueAt) <= now.getTime()) {
    await readFeed(webhook.organizationId, undefined, 1, now);
    await trySaveWebhook(webhook, restingFrom(now));
  }
  return 'stops';
}
