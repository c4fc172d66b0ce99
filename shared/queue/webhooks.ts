import { randomUUID } from 'node:crypto';
import { batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { MAX_BATCH, publishBatch } from './publish.ts';
import type { WebhookMessage } from './webhook-message.ts';

const { QUEUE_URL_WEBHOOKS } = parseEnv({ QUEUE_URL_WEBHOOKS: setting });

/** A webhook is told at most once in each. SQS drops later messages of a slot, so the worker waits for its end. */
const SLOT_MILLISECONDS = 2_000;

/** For clocks that differ. */
const MARGIN_MILLISECONDS = 100;

export interface Told {
  readonly organizationId: string;
  /** Those that its events are sent to, by their ids. */
  readonly webhooks: readonly string[];
}

/** Tells the webhooks of an organization, after the write, that something has happened. */
export async function tellWebhooks({ organizationId, webhooks }: Told): Promise<void> {
  const slot = Math.floor(Date.now() / SLOT_MILLISECONDS);
  const from = (slot + 1) * SLOT_MILLISECONDS + MARGIN_MILLISECONDS;
  await send(
    webhooks.map((webhookId) => ({ organizationId, webhookId, from })),
    ({ webhookId }) => `${webhookId}#${slot}`,
  );
}

/** For webhooks that may be behind whatever happens. @returns how many are told */
export function wakeWebhooks(messages: readonly WebhookMessage[]): Promise<number> {
  return send(messages, () => randomUUID());
}

async function send(
  messages: readonly WebhookMessage[],
  deduplicationId: (message: WebhookMessage) => string,
): Promise<number> {
  const publications = messages.map((message) => ({
    message,
    group: message.webhookId,
    deduplicationId: deduplicationId(message),
  }));
  const counts = await mapInParallel(batchesOf(publications, MAX_BATCH), (batch) =>
    publishBatch(QUEUE_URL_WEBHOOKS, batch, 'webhooks'),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
