import type { Webhook } from '#shared/domain/events/webhook.ts';
import { wakeWebhooks } from '#shared/queue/webhooks.ts';

/** Longer than a running function takes what it knows of an organization for true (`shared/caller/lease.ts`). */
const UNKNOWN_MILLISECONDS = 12_000;

/** After a change of a webhook. For some seconds, functions may not know yet that they have to tell it. */
export async function wakeNew({ organizationId, id: webhookId }: Webhook): Promise<void> {
  const from = Date.now();
  await wakeWebhooks([{ organizationId, webhookId, from, until: from + UNKNOWN_MILLISECONDS }]);
}
