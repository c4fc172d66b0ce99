import { type Behind, countBehind } from '#shared/data/events/feed.ts';
import { behindOf, MAX_BEHIND, type Webhook } from '#shared/domain/events/webhook.ts';
import { overloaded } from '#shared/domain/problems.ts';

/** Each numbers 500 events. What they have numbered is kept, so another request goes on. */
const READINGS = 10;

/** @throws Problem `temporarily_unavailable` if too many events have no number yet */
export async function showWebhook(webhook: Webhook, now: Date) {
  return shown(webhook, await countFor(webhook.organizationId, [webhook], now));
}

/**
 * @param webhooks of one organization
 * @throws Problem `temporarily_unavailable` if too many events have no number yet
 */
export async function showWebhooks(webhooks: readonly Webhook[], now: Date) {
  const [first] = webhooks;
  if (!first) return [];
  const counts = await countFor(first.organizationId, webhooks, now);
  return webhooks.map((webhook) => shown(webhook, counts));
}

const shown = (webhook: Webhook, counts: Behind['counts']) => ({ ...webhook, behind: countOf(webhook, counts) });

const countOf = (webhook: Webhook, counts: Behind['counts']) => behindOf(webhook, counts.get(webhook.after));

async function countFor(organizationId: string, webhooks: readonly Webhook[], now: Date): Promise<Behind['counts']> {
  const positions = webhooks.map(({ after }) => after);
  for (let readings = 0; readings < READINGS; readings++) {
    const { counts, hasMore } = await countBehind(organizationId, positions, now);
    if (!hasMore || webhooks.every((webhook) => countOf(webhook, counts) === MAX_BEHIND)) return counts;
  }
  throw overloaded();
}
