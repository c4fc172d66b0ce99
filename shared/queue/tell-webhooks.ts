import type { Told } from './webhooks.ts';

/**
 * After work that may have left events, whether it succeeded or not: what is told is only that there may be some.
 * Most organizations have no webhooks, so what sends is loaded late.
 */
export async function tellWebhooks(organization: Told): Promise<void> {
  if (organization.webhooks.length === 0) return;
  const late = await import('#shared/queue/webhooks.ts');
  await late.tellWebhooks(organization);
}
