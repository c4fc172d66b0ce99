import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Problem } from '#shared/domain/problems.ts';
import type { Scope } from './scopes.ts';

/**
 * API keys: `bw_` + 43 url-safe random characters + 6 characters of CRC-32. The checksum exposes a mistyped or
 * made-up key without a read of the database. Only the SHA-256 of a key is ever stored.
 */

const PREFIX = 'bw_';
const FORMAT = /^bw_[A-Za-z0-9_-]{49}$/;
const CHECKSUM_LENGTH = 6;

/** The caller, as the key identifies them. */
export interface Principal {
  readonly keyId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** The organization's default currency. It never changes after the organization's creation. */
  readonly currency: string;
  /** Requests per minute. */
  readonly rateLimit: number;
  readonly expiresAt: string | null;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Requests per minute. */
  readonly rateLimit: number;
  readonly expiresAt: string | null;
  /** The key that made this one over HTTP; null for a key that an operator made. */
  readonly createdByKeyId: string | null;
  readonly createdAt: string;
}

/** Requests per minute of a key that an operator makes without a wish. */
export const DEFAULT_RATE_LIMIT = 600;

export const API_KEY_RANDOM_BYTES = 32;

/** @param random {@link API_KEY_RANDOM_BYTES} bytes */
export function formatApiKey(random: Uint8Array): string {
  const secret = Buffer.from(random).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** Whether the key has the right format and checksum. True does not mean that the key was ever issued. */
export function isWellFormedApiKey(apiKey: string): boolean {
  if (!FORMAT.test(apiKey)) return false;
  const secret = apiKey.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return apiKey.endsWith(checksum(secret));
}

/** What is stored instead of the key. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}

function checksum(secret: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(secret));
  return bytes.toString('base64url');
}

/** @throws Problem `insufficient_scope` that names the scope */
export function assertScope(held: readonly Scope[], scope: Scope): void {
  if (held.includes(scope)) return;
  throw new Problem('insufficient_scope', { detail: `The API key lacks the scope ${scope}.` });
}

/** @throws Problem `scope_not_grantable` that names the scopes that the creator lacks */
export function assertGrantable(wanted: readonly string[], held: readonly string[]): void {
  const lacking = wanted.filter((scope) => !held.includes(scope));
  if (lacking.length === 0) return;
  throw new Problem('scope_not_grantable', {
    detail: `Your API key lacks ${lacking.join(', ')} and so cannot grant it.`,
  });
}

const MILLISECONDS_PER_DAY = 86_400_000;

/** @param days fractions are allowed; undefined for a key that does not expire */
export function expiryOf(days: number | undefined, now: Date): string | null {
  return days === undefined ? null : new Date(now.getTime() + days * MILLISECONDS_PER_DAY).toISOString();
}

type Limits = Pick<ApiKey, 'rateLimit' | 'expiresAt'>;

interface LimitWishes {
  readonly rateLimit?: number;
  readonly expiresInDays?: number;
}

/**
 * The limits of a key that another key makes; without wishes they are those of its maker.
 *
 * @throws Problem `limits_not_grantable` if it would allow more requests a minute, or expire later
 */
export function grantableLimits({ rateLimit, expiresInDays }: LimitWishes, maker: Limits, now: Date): Limits {
  const wanted = {
    rateLimit: rateLimit ?? maker.rateLimit,
    expiresAt: expiryOf(expiresInDays, now) ?? maker.expiresAt,
  };
  if (wanted.rateLimit > maker.rateLimit) {
    throw notGrantable(`Your API key allows ${maker.rateLimit} requests a minute, and cannot grant more.`);
  }
  if (wanted.expiresAt !== null && maker.expiresAt !== null && wanted.expiresAt > maker.expiresAt) {
    throw notGrantable(`Your API key expires at ${maker.expiresAt}, and cannot make one that expires later.`);
  }
  return wanted;
}

function notGrantable(detail: string): Problem {
  return new Problem('limits_not_grantable', { detail });
}
