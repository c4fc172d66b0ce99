import type { Webhook } from '#shared/domain/events/webhook.ts';
import { decryptSecret, encryptSecret } from '#shared/runtime/secrets.ts';

/** By the webhook in the encryption context, roles tell its secrets from those of connections (`infra/permissions.ts`). */

type Owner = Pick<Webhook, 'id' | 'organizationId'>;

const contextOf = ({ organizationId, id }: Owner) => ({ organizationId, webhookId: id });

/** @returns Base64 */
export function encryptWebhookSecret(owner: Owner, secret: string): Promise<string> {
  return encryptSecret(secret, contextOf(owner));
}

export function decryptWebhookSecret(owner: Owner, encrypted: string): Promise<string> {
  return decryptSecret(encrypted, contextOf(owner));
}
