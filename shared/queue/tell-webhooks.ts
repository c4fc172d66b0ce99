import type { Principal } from '#shared/domain/keys/api-key.ts';

/**
 * After work that may have left events, whether it succeeded or not: what is told is only that there may be some.
 * Most organizations have no webhooks, so what sends is loaded late.
 */
export async function tellWebhooks({
  organizationId,
  webhooks,
}: Pick<Principal, 'organizationId' | 'webhooks'>): Promise<void> {
  if (webhooks.length === 0) return;
  const late = await import('#shared/queue/webhooks.ts');
  await late.tellWebhooks(organizationId, webhooks);
}
