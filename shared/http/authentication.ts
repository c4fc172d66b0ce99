import type { Demand } from '#shared/contract/endpoint.ts';
import { type Lease as DataLease, type KeyRecord, leaseTokens } from '#shared/data/keys/api-keys.ts';
import { hashApiKey, isWellFormedApiKey, type Principal } from '#shared/domain/keys/api-key.ts';
import {
  availableTokens,
  nextLeaseSize,
  secondsUntilFull,
  secondsUntilToken,
} from '#shared/domain/keys/token-bucket.ts';
import { Problem, unauthenticated } from '#shared/domain/problems.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { type HttpRequest, header, type Step } from './exchange.ts';

/**
 * Finds out who calls, and whether the key's rate limit allows the request. A running function keeps what it knows
 * of a key for some seconds: the record, and either a block of tokens that it took from the key's bucket in one
 * write, or the moment until which the bucket is empty.
 */

interface Lease {
  readonly key: KeyRecord;
  readonly principal: Principal;
  readonly size: number;
  tokens: number;
  /** Tokens that were left in the shared bucket after this lease. */
  readonly remaining: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Well below the 30 seconds within which a revoked key must stop working. */
const LEASE_MILLISECONDS = 10_000;

/** More keys than one running function sees in ten seconds. Beyond that, the oldest are forgotten and read again. */
const MAX_LEASES = 1_000;

const leases = new BoundedMap<Lease>(MAX_LEASES);

/** Demands a key with the scope, or any valid key. Leaves the principal and the rate-limit headers on the request. */
export function authentication(demand: Demand): Step {
  return {
    before: async (request) => {
      const lease = await usableLease(hashApiKey(bearerToken(request)), request.internal.now);
      const { key, principal } = lease;
      if (key.expiresAt && Date.parse(key.expiresAt) <= request.internal.now.getTime()) throw unauthenticated();
      request.internal.principal = principal;
      takeToken(lease, request);
      if (demand !== 'any' && !key.scopes.includes(demand)) {
        throw new Problem('insufficient_scope', { detail: `The API key lacks the scope ${demand}.` });
      }
    },
  };
}

/** A key with a wrong checksum costs no call to the database. */
function bearerToken(request: HttpRequest): string {
  const token = /^Bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
  if (!token || !isWellFormedApiKey(token)) throw unauthenticated();
  return token;
}

async function usableLease(hash: string, now: Date): Promise<Lease> {
  const held = leases.get(hash);
  const isCurrent = held !== undefined && now.getTime() < held.endsAt;
  if (isCurrent && (held.tokens > 0 || isExhausted(held, now))) return held;

  const size = held ? nextLeaseSize(held.size, held.tokens, held.key.rateLimit) : 1;
  const taken = await leaseTokens(hash, size, microseconds(now), held?.key);
  if (taken.kind === 'unknown_key') {
    leases.delete(hash);
    throw unauthenticated();
  }
  const lease = leaseFrom(taken, now);
  leases.set(hash, lease);
  return lease;
}

function leaseFrom(taken: Exclude<DataLease, { kind: 'unknown_key' }>, now: Date): Lease {
  const { key } = taken;
  const { id: keyId, organizationId, userId, scopes, currency } = key;
  const tokens = taken.kind === 'granted' ? taken.tokens : 0;
  return {
    key,
    principal: { keyId, organizationId, userId, scopes, currency },
    size: Math.max(1, tokens),
    tokens,
    remaining: availableTokens(key.fullAt, microseconds(now), key.rateLimit),
    endsAt: now.getTime() + LEASE_MILLISECONDS,
  };
}

/** An empty bucket is not asked again before it can hold a token, so a refusal costs nothing. */
function isExhausted({ key, tokens }: Lease, now: Date): boolean {
  return tokens === 0 && availableTokens(key.fullAt, microseconds(now), key.rateLimit) === 0;
}

function takeToken(lease: Lease, request: HttpRequest): void {
  const { key } = lease;
  const now = microseconds(request.internal.now);
  const granted = lease.tokens > 0;
  if (granted) lease.tokens -= 1;
  Object.assign(request.internal.headers, {
    ratelimit: `"default";r=${lease.tokens + lease.remaining};t=${secondsUntilFull(key.fullAt, now)}`,
    'ratelimit-policy': `"default";q=${key.rateLimit};w=60`,
  });
  if (granted) return;
  const seconds = secondsUntilToken(key.fullAt, now, key.rateLimit);
  throw new Problem('rate_limited', {
    detail: `The key allows ${key.rateLimit} requests a minute; try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

function microseconds(moment: Date): number {
  return moment.getTime() * 1_000;
}
