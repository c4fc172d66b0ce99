import { readFeed } from '#shared/data/events/feed.ts';
import type { Reading } from '#shared/domain/events/present-event.ts';
import { isSentTo, MAX_BEHIND, MAX_LOOKED_THROUGH, type Webhook } from '#shared/domain/events/webhook.ts';
import { Problem } from '#shared/domain/problems.ts';

export async function showWebhook(webhook: Webhook, now: Date) {
  const [behind = 0] = await countBehind([webhook], now);
  return { ...webhook, behind };
}

/** @param webhooks of one organization */
export async function showWebhooks(webhooks: readonly Webhook[], now: Date) {
  const counts = await countBehind(webhooks, now);
  return webhooks.map((webhook, position) => ({ ...webhook, behind: counts[position] ?? 0 }));
}

interface Count {
  readonly webhook: Webhook;
  /** Up to here, events are counted. */
  readonly after: number;
  readonly behind: number;
}

const endOf = ({ after }: Webhook): number => after + MAX_LOOKED_THROUGH;

const isOpen = ({ webhook, after, behind }: Count): boolean => behind < MAX_BEHIND && after < endOf(webhook);

/** What several webhooks look through is read once. */
async function countBehind(webhooks: readonly Webhook[], now: Date): Promise<number[]> {
  let counts = webhooks.map((webhook): Count => ({ webhook, after: webhook.after, behind: 0 }));
  for (;;) {
    const [next] = counts.filter(isOpen).sort((one, other) => one.after - other.after);
    if (!next) return counts.map(({ behind }) => Math.min(behind, MAX_BEHIND));
    const { organizationId } = next.webhook;
    const read = await readFeed(organizationId, next.after, MAX_BEHIND, now).catch(expired);
    counts = counts.map((count) => (isOpen(count) ? counted(count, read, next.after) : count));
  }
}

/** @param from where the reading begins @param read undefined where these events have expired */
function counted(count: Count, read: Reading | undefined, from: number): Count {
  const { webhook, after, behind } = count;
  if (!read) return after === from ? { ...count, behind: MAX_BEHIND } : count;
  const end = endOf(webhook);
  const own = read.events.filter(
    (event) => event.sequence > after && event.sequence <= end && isSentTo(webhook, event),
  );
  return { webhook, after: read.hasMore ? Math.max(after, read.last) : end, behind: behind + own.length };
}

/** Of a webhook that stood still for longer than events are kept. */
function expired(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'events_expired')) throw error;
}
