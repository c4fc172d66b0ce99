import { listWebhooks } from '#shared/contract/events/list-webhooks.ts';
import { readWebhooks } from '#shared/data/events/webhooks.ts';
import { implement } from '#shared/http/implement.ts';
import { showWebhooks } from '#shared/work/events/show-webhook.ts';

/** GET /v1/webhooks: lists the webhooks of the caller's organization, newest first. */
export const handler = implement(listWebhooks, async ({ query: { limit, offset }, principal, now }) => {
  const webhooks = await readWebhooks(principal.organizationId);
  const page = webhooks.slice(offset, offset + limit);
  return { items: await showWebhooks(page, now), total: webhooks.length };
});
