import { randomBytes } from 'node:crypto';
import { rotateWebhookSecret } from '#shared/contract/events/rotate-webhook-secret.ts';
import { encryptWebhookSecret } from '#shared/data/events/webhook-secrets.ts';
import { readWebhook, saveWebhook } from '#shared/data/events/webhooks.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { formatSecret, SECRET_BYTES, withNewSecret } from '#shared/domain/events/signature.ts';
import { revised } from '#shared/domain/revised.ts';
import { implement } from '#shared/http/implement.ts';
import { showWebhook } from '#shared/work/events/show-webhook.ts';

/** POST /v1/webhooks/{id}/rotate-secret: signs with another secret, and for a while with the present one too. */
export const handler = implement(rotateWebhookSecret, {
  load: ({ params, principal }) => readWebhook(principal.organizationId, params.id),
  show: showWebhook,
  run: async ({ body: { graceHours }, resource, now, fresh, answer }) => {
    const secret = formatSecret(randomBytes(SECRET_BYTES));
    const encrypted = await encryptWebhookSecret(resource, secret);
    return retrying(fresh, async (webhook) => {
      const secrets = withNewSecret(webhook.secrets, encrypted, graceHours, now);
      const rotated = revised(webhook, { ...webhook, secrets }, now);
      const shown = { ...(await showWebhook(rotated, now)), secret };
      // Only checks that it can be shown, before anything is written.
      await answer(shown);
      await saveWebhook(webhook, rotated);
      return shown;
    });
  },
});
