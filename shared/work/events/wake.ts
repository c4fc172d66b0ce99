import { isDelivering, type Webhook } from '#shared/domain/events/webhook.ts';
import { wakeWebhooks } from '#shared/queue/webhooks.ts';
import { LEASE_MILLISECONDS } from '#shared/runtime/lease.ts';

/** Longer than a running function takes what it knows of an organization for true. */
const UNKNOWN_MILLISECONDS = LEASE_MILLISECONDS + 2_000;

/**
 * After a change of a webhook. For some seconds, functions may not know yet that they have to tell one that is new.
 *
 * @param before undefined for one that was made
 */
export async function wakeChanged(before: Webhook | undefined, webhook: Webhook): Promise<void> {
  if (webhook === before || !isDelivering(webhook)) return;
  const { organizationId, id: webhookId } = webhook;
  const from = Date.now();
  const isNew = before === undefined || !isDelivering(before);
  await wakeWebhooks([{ organizationId, webhookId, from, ...(isNew && { until: from + UNKNOWN_MILLISECONDS }) }]);
}
