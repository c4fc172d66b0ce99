import { getWebhook } from '#shared/contract/events/get-webhook.ts';
import { readWebhook } from '#shared/data/events/webhooks.ts';
import { implement } from '#shared/http/implement.ts';
import { showWebhook } from '#shared/work/events/show-webhook.ts';

/** GET /v1/webhooks/{id}: one webhook of the caller's organization. */
export const handler = implement(getWebhook, async ({ params, principal, now }) =>
  showWebhook(await readWebhook(principal.organizationId, params.id), now),
);
