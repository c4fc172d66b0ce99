import { createHmac } from 'node:crypto';

/** Standard Webhooks (standardwebhooks.com): an HMAC-SHA256 of id, time and body, under a secret of 32 bytes. */

const SECRET_PREFIX = 'whsec_';

export const SECRET_BYTES = 32;

/** @param random {@link SECRET_BYTES} bytes */
export function formatSecret(random: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(random).toString('base64')}`;
}

export interface WebhookSecret {
  /** As it is stored. */
  readonly encrypted: string;
  /** When the grace of a former one ends; null for the present one. */
  readonly endsAt: string | null;
}

/** A third one ends the first. @param graceHours for the present one @returns the new one first */
export function withNewSecret(
  secrets: readonly WebhookSecret[],
  encrypted: string,
  graceHours: number,
  now: Date,
): WebhookSecret[] {
  const endsAt = new Date(now.getTime() + graceHours * 3_600_000).toISOString();
  const former = secrets.filter((secret) => secret.endsAt === null).map((secret) => ({ ...secret, endsAt }));
  return livingSecrets([{ encrypted, endsAt: null }, ...former], now);
}

export function livingSecrets(secrets: readonly WebhookSecret[], now: Date): WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > now.getTime());
}

/**
 * The headers of an attempt.
 *
 * @param id of the event, the same at each attempt
 * @param secrets one, or two while a rotation's grace lasts
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => `v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}
