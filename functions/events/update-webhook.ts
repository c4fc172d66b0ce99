import { updateWebhook } from '#shared/contract/events/update-webhook.ts';
import { readWebhook, saveWebhook } from '#shared/data/events/webhooks.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { assertMayDirect, isDelivering, reviseWebhook } from '#shared/domain/events/webhook.ts';
import { implement } from '#shared/http/implement.ts';
import { positionOf } from '#shared/work/events/position.ts';
import { assertReceiver } from '#shared/work/events/receiver.ts';
import { showWebhook } from '#shared/work/events/show-webhook.ts';
import { wakeChanged } from '#shared/work/events/wake.ts';

/** PATCH /v1/webhooks/{id}: changes the members that are sent and no others. */
export const handler = implement(updateWebhook, {
  load: ({ params, principal }) => readWebhook(principal.organizationId, params.id),
  show: showWebhook,
  run: ({ body, principal, now, host, fresh, answer }) =>
    retrying(fresh, async (webhook) => {
      assertMayDirect(principal.scopes, webhook, body);
      if (body.url !== undefined) assertReceiver(body.url, host);
      // One that goes on must still find its next event kept.
      const goesOn = body.status === 'active' && !isDelivering(webhook);
      const position = body.after ?? (goesOn ? webhook.after : undefined);
      const after = position === undefined ? undefined : await positionOf(principal.organizationId, position, now);
      const changed = reviseWebhook(webhook, { ...body, after }, now);
      const shown = await showWebhook(changed, now);
      // Only checks that it can be shown, before anything is written.
      await answer(shown);
      await saveWebhook(webhook, changed);
      await wakeChanged(webhook, changed);
      return shown;
    }),
});
