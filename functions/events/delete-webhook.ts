import { deleteWebhook } from '#shared/contract/events/delete-webhook.ts';
import { readWebhook, removeWebhook } from '#shared/data/events/webhooks.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { implement } from '#shared/http/implement.ts';
import { showWebhook } from '#shared/work/events/show-webhook.ts';

/** DELETE /v1/webhooks/{id}: ends a webhook for good. */
export const handler = implement(deleteWebhook, {
  load: ({ params, principal }) => readWebhook(principal.organizationId, params.id),
  show: showWebhook,
  run: ({ fresh }) =>
    retrying(fresh, async (webhook) => {
      await removeWebhook(webhook);
      return webhook.id;
    }),
});
