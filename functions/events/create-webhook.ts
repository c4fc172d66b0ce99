import { randomBytes } from 'node:crypto';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { encryptWebhookSecret } from '#shared/data/events/webhook-secrets.ts';
import { insertWebhook } from '#shared/data/events/webhooks.ts';
import { formatSecret, SECRET_BYTES } from '#shared/domain/events/signature.ts';
import { newWebhook } from '#shared/domain/events/webhook.ts';
import { assertScope } from '#shared/domain/keys/api-key.ts';
import { implement } from '#shared/http/implement.ts';
import { positionOf } from '#shared/work/events/position.ts';
import { assertReceiver } from '#shared/work/events/receiver.ts';
import { showWebhook } from '#shared/work/events/show-webhook.ts';
import { wakeChanged } from '#shared/work/events/wake.ts';

/** POST /v1/webhooks: has the events that the caller may read sent to a URL. */
export const handler = implement(createWebhook, async ({ body, principal, now, host, newId, answer }) => {
  const { organizationId, userId, keyId, scopes } = principal;
  assertScope(scopes, 'events:read');
  assertReceiver(body.url, host);
  const owner = { id: newId(), organizationId };
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const after = await positionOf(organizationId, body.after, now);
  const secrets = [{ encrypted: await encryptWebhookSecret(owner, secret), endsAt: null }];
  const webhook = newWebhook(body, { ...owner, maker: { userId, keyId, scopes }, secrets, after }, now);
  const shown = { ...(await showWebhook(webhook, now)), secret };
  // Only checks that it can be shown, before anything is written.
  await answer(shown);
  await insertWebhook(webhook);
  await wakeChanged(undefined, webhook);
  return shown;
});
