import * as v from 'valibot';
import { event as eventSchema } from '#shared/contract/events/event.ts';
import { decryptWebhookSecret } from '#shared/data/events/webhook-secrets.ts';
import type { NumberedEvent } from '#shared/domain/events/event.ts';
import type { Actor } from '#shared/domain/events/happening.ts';
import { presentEvent } from '#shared/domain/events/present-event.ts';
import { livingSecrets, signedHeaders } from '#shared/domain/events/signature.ts';
import { type DeliveryFailure, failureOfStatus, type Webhook } from '#shared/domain/events/webhook.ts';
import { WayOut, WayOutError } from '#shared/runtime/way-out.ts';

/** What an event is sent with. */
export interface Letter {
  readonly id: string;
  readonly body: string;
}

/** As the feed has it, byte for byte. */
export function letterOf(event: NumberedEvent): Letter {
  return { id: event.id, body: JSON.stringify(v.parse(eventSchema, presentEvent(event))) };
}

/** An event that no feed has. */
export function testLetter(webhook: Pick<Webhook, 'id'>, id: string, actor: Actor, now: Date): Letter {
  const data = { object: { type: 'webhook', id: webhook.id }, actor };
  const event = { id, sequence: 0, type: 'webhook.test', timestamp: now.toISOString(), data };
  return { id, body: JSON.stringify(event) };
}

/** The secrets that sign, in plain text. @param held those that are known already, by the encrypted ones */
export function readSecrets(webhook: Webhook, now: Date, held = new Map<string, string>()): Promise<string[]> {
  const living = livingSecrets(webhook.secrets, now);
  return Promise.all(
    living.map(async ({ encrypted }) => {
      const plain = held.get(encrypted) ?? (await decryptWebhookSecret(webhook, encrypted));
      held.set(encrypted, plain);
      return plain;
    }),
  );
}

export const ATTEMPT_MILLISECONDS = 15_000;

/** Of an answer, only its status matters. A receiver whose answer was read can keep its connection. */
const READ_BYTES = 4_096;

/** One that is slow to end its answer loses its connection, and keeps no worker from the next event. */
const READ_MILLISECONDS = 1_000;

const wayOut = new WayOut();

/** Sends it once. @returns undefined for a success */
export async function attempt(
  { url }: Pick<Webhook, 'url'>,
  { id, body }: Letter,
  secrets: readonly string[],
  now: Date,
): Promise<DeliveryFailure | undefined> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Billwright-Webhooks/1',
    ...signedHeaders(id, body, secrets, now),
  };
  const signal = AbortSignal.timeout(ATTEMPT_MILLISECONDS);
  try {
    const answer = await wayOut.request(new URL(url), { headers, body, signal });
    AbortSignal.timeout(READ_MILLISECONDS).addEventListener('abort', answer.drop);
    await answer.read(READ_BYTES).catch(() => undefined);
    return failureOfStatus(answer.status);
  } catch (error) {
    if (error instanceof WayOutError) return error.reason;
    throw error;
  }
}

/** A connection that outlives its event would be found closed by the next. */
export function hangUp(): void {
  wayOut.close();
}
