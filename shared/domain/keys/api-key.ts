import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Membership, notAMember, PERSON_RATE_LIMIT } from '#shared/domain/person.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { Role } from '#shared/domain/role.ts';
import { PLATFORM_ID } from './platform.ts';
import { type AnyScope, SCOPES_OF_ROLE, type Scope } from './scopes.ts';

/** `bw_`, 43 random characters, and a CRC-32 that exposes a mistyped key without a read. Only the SHA-256 is stored. */

const PREFIX = 'bw_';
const FORMAT = /^bw_[A-Za-z0-9_-]{49}$/;
const CHECKSUM_LENGTH = 6;

export interface Principal {
  /** Null for a person who signed in. */
  readonly keyId: string | null;
  /** Of the first key of the family; for a user who signed in, the user's bucket. */
  readonly familyHash: string;
  readonly organizationId: string;
  readonly userId: string;
  /** The generation of the link by which a person who signed in is the user; null for a key. */
  readonly linkGeneration: number | null;
  /** The user's; up to some seconds old. */
  readonly role: Role;
  readonly scopes: readonly AnyScope[];
  /** The organization's; up to some seconds old. */
  readonly currency: string;
  /** Those that its events are sent to; up to some seconds old. */
  readonly webhooks: readonly string[];
  readonly rateLimit: number;
  readonly expiresAt: string | null;
}

/** A person who has signed in, as the user that it is linked to. @param bucket of the user */
export function userPrincipal(membership: Membership, bucket: string): Principal {
  const { organizationId, userId, linkGeneration, role, currency, webhooks } = membership;
  const of = { organizationId, userId, linkGeneration, role, currency, webhooks, familyHash: bucket };
  return { keyId: null, ...of, scopes: SCOPES_OF_ROLE[role], rateLimit: PERSON_RATE_LIMIT, expiresAt: null };
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  readonly rateLimit: number;
  readonly expiresAt: string | null;
  /** Null for a key that an operator made. */
  readonly createdByKeyId: string | null;
  readonly createdAt: string;
}

export const DEFAULT_RATE_LIMIT = 600;

export const API_KEY_RANDOM_BYTES = 32;

/** @param random {@link API_KEY_RANDOM_BYTES} bytes */
export function formatApiKey(random: Uint8Array): string {
  const secret = Buffer.from(random).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** Whether it is meant to be a key, however mistyped. */
export function hasKeyPrefix(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** True does not mean that the key was ever issued. */
export function isWellFormedApiKey(apiKey: string): boolean {
  if (!FORMAT.test(apiKey)) return false;
  const secret = apiKey.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return apiKey.endsWith(checksum(secret));
}

export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}

function checksum(secret: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(secret));
  return bytes.toString('base64url');
}

export function assertScope(held: readonly AnyScope[], scope: AnyScope): void {
  if (held.includes(scope)) return;
  throw new Problem('insufficient_scope', { detail: `The caller lacks the scope ${scope}.` });
}

/** @param userId of the new key @throws Problem `insufficient_scope` */
export function assertHolder(userId: string, maker: Pick<Principal, 'userId' | 'scopes'>): void {
  if (userId !== maker.userId) assertScope(maker.scopes, 'organization:write');
}

/** For an operation that every key of an organization may call. @throws Problem `insufficient_scope` */
export function assertOfOrganization({ organizationId }: Pick<Principal, 'organizationId'>): void {
  if (organizationId !== PLATFORM_ID) return;
  throw new Problem('insufficient_scope', { detail: 'A key of the platform belongs to no organization.' });
}

/** For an operation of people who have signed in. @throws Problem `insufficient_scope` */
export function refuseKey(): never {
  throw new Problem('insufficient_scope', { detail: 'An API key acts as its user, and is linked to no other.' });
}

/** @param named by the request, if it names one @throws Problem `not_a_member` */
export function assertNamed({ organizationId }: Pick<Principal, 'organizationId'>, named: string | undefined): void {
  if (named === undefined || named === organizationId) return;
  throw notAMember('Your API key belongs to another one.');
}

export function assertGrantable(wanted: readonly string[], held: readonly string[]): void {
  const lacking = wanted.filter((scope) => !held.includes(scope));
  if (lacking.length === 0) return;
  throw new Problem('scope_not_grantable', {
    detail: `The caller lacks ${lacking.join(', ')} and so cannot grant it.`,
  });
}

const MILLISECONDS_PER_DAY = 86_400_000;

/** @param days may be a fraction; undefined: never */
export function expiryOf(days: number | undefined, now: Date): string | null {
  return days === undefined ? null : new Date(now.getTime() + days * MILLISECONDS_PER_DAY).toISOString();
}

type Limits = Pick<ApiKey, 'rateLimit' | 'expiresAt'>;

interface LimitWishes {
  readonly rateLimit?: number;
  readonly expiresInDays?: number;
}

/** The limits default to the maker's. @throws Problem `limits_not_grantable` if they exceed those */
export function grantableLimits({ rateLimit, expiresInDays }: LimitWishes, maker: Limits, now: Date): Limits {
  const wanted = {
    rateLimit: rateLimit ?? maker.rateLimit,
    expiresAt: expiryOf(expiresInDays, now) ?? maker.expiresAt,
  };
  if (wanted.rateLimit > maker.rateLimit) {
    throw notGrantable(`The caller has ${maker.rateLimit} requests a minute, and cannot grant more.`);
  }
  if (wanted.expiresAt !== null && maker.expiresAt !== null && wanted.expiresAt > maker.expiresAt) {
    throw notGrantable(`Your API key expires at ${maker.expiresAt}, and cannot make one that expires later.`);
  }
  return wanted;
}

function notGrantable(detail: string): Problem {
  return new Problem('limits_not_grantable', { detail });
}
