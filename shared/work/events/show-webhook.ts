import { countBehind } from '#shared/data/events/feed.ts';
import { behindOf, MAX_BEHIND, type Webhook } from '#shared/domain/events/webhook.ts';
import { overloaded } from '#shared/domain/problems.ts';

/** Each numbers 500 events. What they have numbered is kept, so another request goes on. */
const READINGS = 10;

/** @throws Problem `temporarily_unavailable` if too many events have no number yet */
export async function showWebhook(webhook: Webhook, now: Date) {
  const [behind = 0] = await countEach(webhook.organizationId, [webhook], now);
  return { ...webhook, behind };
}

/**
 * @param webhooks of one organization
 * @throws Problem `temporarily_unavailable` if too many events have no number yet
 */
export async function showWebhooks(webhooks: readonly Webhook[], now: Date) {
  const [first] = webhooks;
  if (!first) return [];
  const counts = await countEach(first.organizationId, webhooks, now);
  return webhooks.map((webhook, at) => ({ ...webhook, behind: counts[at] ?? 0 }));
}

async function countEach(organizationId: string, webhooks: readonly Webhook[], now: Date): Promise<number[]> {
  const positions = webhooks.map(({ after }) => after);
  for (let readings = 0; readings < READINGS; readings++) {
    const { counts, hasMore } = await countBehind(organizationId, positions, now);
    const behind = webhooks.map((webhook) => behindOf(webhook, counts.get(webhook.after)));
    if (!hasMore || behind.every((count) => count === MAX_BEHIND)) return behind;
  }
  throw overloaded();
}
