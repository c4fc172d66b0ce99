import { randomBytes } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { encryptWebhookSecret } from '#shared/data/events/webhook-secrets.ts';
import { insertWebhook, readWebhooks } from '#shared/data/events/webhooks.ts';
import { organizationKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { formatSecret, SECRET_BYTES } from '#shared/domain/events/signature.ts';
import { newWebhook, type Webhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { Json } from './client.ts';
import { given, type User } from './given.ts';

export interface GivenWebhook {
  readonly ana: User;
  /** With its secret. */
  readonly webhook: Json;
  readonly path: string;
  /** As it is by now. */
  readonly now: () => Promise<Json>;
}

export async function givenWebhook(values: object = {}, by?: User): Promise<GivenWebhook> {
  const ana = by ?? (await given.user());
  const { status, body } = await ana.post('/v1/webhooks', { url: 'https://hooks.example.com/billwright', ...values });
  if (status !== 201) throw new Error(`Could not set the scene: ${status} ${JSON.stringify(body)}`);
  const path = `/v1/webhooks/${body.data.id}`;
  return { ana, webhook: body.data, path, now: async () => (await ana.get(path)).body.data };
}

/** A webhook of which no queue is told. */
export async function storedWebhook(by: User, url: string, values: Partial<Webhook> = {}) {
  const owner = { id: uuidV7(), organizationId: by.organization.id };
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const encrypted = await encryptWebhookSecret(owner, secret);
  const maker = { userId: by.userId, keyId: by.keyId, scopes: SCOPES };
  const webhook = newWebhook(
    { url },
    { ...owner, maker, secrets: [{ encrypted, endsAt: null }], after: 0 },
    new Date(),
  );
  await insertWebhook({ ...webhook, ...values });
  return { ...owner, secret };
}

export type StoredOwner = Awaited<ReturnType<typeof storedWebhook>>;

/** How many webhooks an organization counts, and how many it has. */
export async function webhookCounts(
  organizationId: string,
): Promise<{ readonly counted: number; readonly there: number }> {
  const { webhookCount = 0 } = (await readItem(organizationKey(organizationId))) ?? {};
  return { counted: Number(webhookCount), there: (await readWebhooks(organizationId)).length };
}
