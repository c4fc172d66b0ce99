import { countBehind } from '#shared/data/events/feed.ts';
import { behindOf, type Webhook } from '#shared/domain/events/webhook.ts';

export async function showWebhook(webhook: Webhook, now: Date) {
  const [counts] = await countBehind(webhook.organizationId, [webhook.after], now);
  return { ...webhook, behind: behindOf(webhook, counts) };
}

/** @param webhooks of one organization */
export async function showWebhooks(webhooks: readonly Webhook[], now: Date) {
  const [first] = webhooks;
  if (!first) return [];
  const positions = webhooks.map(({ after }) => after);
  const counts = await countBehind(first.organizationId, positions, now);
  return webhooks.map((webhook, at) => ({ ...webhook, behind: behindOf(webhook, counts[at]) }));
}
