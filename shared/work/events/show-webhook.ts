import { readFeed } from '#shared/data/events/feed.ts';
import type { NumberedEvent } from '#shared/domain/events/event.ts';
import { isSentTo, MAX_BEHIND, MAX_LOOKED_THROUGH, type Webhook } from '#shared/domain/events/webhook.ts';
import { Problem } from '#shared/domain/problems.ts';

export async function showWebhook(webhook: Webhook, now: Date) {
  return { ...webhook, behind: await countBehind(webhook, now) };
}

async function countBehind(webhook: Webhook, now: Date): Promise<number> {
  const { organizationId } = webhook;
  const end = webhook.after + MAX_LOOKED_THROUGH;
  let [behind, after] = [0, webhook.after];
  while (after < end && behind < MAX_BEHIND) {
    const read = await readFeed(organizationId, after, MAX_BEHIND, now).catch(expired);
    if (!read) return MAX_BEHIND;
    behind += read.events.filter((event: NumberedEvent) => isSentTo(webhook, event)).length;
    if (!read.hasMore) break;
    after = read.last;
  }
  return Math.min(behind, MAX_BEHIND);
}

/** Of a webhook that stood still for longer than events are kept. */
function expired(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'events_expired')) throw error;
}
