import { type Buckets, type KeyRecord, leaseTokens, takeFromFamily } from '#shared/data/keys/api-keys.ts';
import { readStanding, type Standing } from '#shared/data/organization/standing.ts';
import { hashApiKey, isWellFormedApiKey, type Principal } from '#shared/domain/keys/api-key.ts';
import {
  availableTokens,
  bucketSize,
  nextLeaseSize,
  secondsUntilFull,
  secondsUntilTokens,
} from '#shared/domain/keys/token-bucket.ts';
import { Problem, unauthenticated } from '#shared/domain/problems.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { type HttpRequest, header, type Step } from './exchange.ts';

/**
 * A running function keeps the record of a key for some seconds, and either a block of tokens that it took in one
 * write, or the moment until which the bucket is empty.
 */

interface Lease {
  buckets: Buckets;
  readonly principal: Principal;
  readonly size: number;
  tokens: number;
  /** Milliseconds since the epoch */
  readonly endsAt: number;
}

/** Well below the 30 seconds within which a revoked key must stop working. */
export const LEASE_MILLISECONDS = 10_000;

/** More keys than one running function sees in ten seconds. */
const MAX_LEASES = 1_000;

const leases = new BoundedMap<Lease>(MAX_LEASES);

/**
 * Until when hashes of keys that do not exist are not looked up again. Nobody can have tried a key before it was made.
 */
const unknownKeys = new BoundedMap<number>(10_000);

const UNKNOWN_MILLISECONDS = 60_000;

/** Requires a key. Leaves the principal and the rate-limit headers on the request. */
export function authentication(): Step {
  return {
    before: async (request) => {
      const hash = hashApiKey(bearerToken(request));
      const lease = await usableLease(hash, request.internal.now);
      const { key } = lease.buckets;
      const { principal } = lease;
      if (key.expiresAt && Date.parse(key.expiresAt) <= request.internal.now.getTime()) throw unauthenticated();
      request.internal.principal = principal;
      takeToken(lease, request);
      request.internal.takeRestOfTokens = (weight) => takeRest(hash, lease, weight, request);
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
  if (now.getTime() < (unknownKeys.get(hash) ?? 0)) throw unauthenticated();
  const held = leases.get(hash);
  const isCurrent = held !== undefined && now.getTime() < held.endsAt;
  if (isCurrent && (held.tokens > 0 || isExhausted(held, now))) return held;

  const size = held ? nextLeaseSize(held.size, held.tokens, held.buckets.key.rateLimit) : 1;
  const [taken, seenStanding] = await Promise.all([
    leaseTokens(hash, size, microseconds(now), held?.buckets),
    held && standingOf(held.buckets.key),
  ]);
  const standing = held ? seenStanding : taken && (await standingOf(taken.key));
  if (!taken || !standing) throw unknown(hash, now);
  const { tokens, ...buckets } = taken;
  const principal = principalOf(hash, buckets.key, standing);
  const endsAt = now.getTime() + LEASE_MILLISECONDS;
  const lease = { buckets, principal, size: Math.max(1, tokens), tokens, endsAt };
  leases.set(hash, lease);
  return lease;
}

function unknown(hash: string, now: Date): Problem {
  leases.delete(hash);
  unknownKeys.set(hash, now.getTime() + UNKNOWN_MILLISECONDS);
  return unauthenticated();
}

function standingOf({ organizationId, userId }: KeyRecord): Promise<Standing | undefined> {
  return readStanding(organizationId, userId);
}

function principalOf(hash: string, key: KeyRecord, standing: Standing): Principal {
  const { id: keyId, organizationId, userId, scopes, rateLimit, expiresAt, familyHash } = key;
  const of = { organizationId, userId, ...standing, familyHash: familyHash ?? hash };
  return { keyId, ...of, scopes, rateLimit, expiresAt };
}

function scarcer({ key, family }: Buckets, now: Date): KeyRecord {
  return family && remaining(family, now) < remaining(key, now) ? family : key;
}

function remaining({ fullAt, rateLimit }: KeyRecord, now: Date): number {
  return availableTokens(fullAt, microseconds(now), rateLimit);
}

/** An empty bucket is not asked again before it can hold a token, so a refusal costs nothing. */
function isExhausted({ buckets, tokens }: Lease, now: Date): boolean {
  return tokens === 0 && remaining(scarcer(buckets, now), now) === 0;
}

function takeToken(lease: Lease, request: HttpRequest): void {
  const granted = lease.tokens > 0;
  if (granted) lease.tokens -= 1;
  tellRateLimit(lease, request);
  if (!granted) throw rateLimited(lease, 1, request.internal.now);
}

/**
 * A request that outweighs the full bucket of its key takes the whole bucket, and the rest from that of the family.
 *
 * @param weight with the token that is taken already
 */
async function takeRest(hash: string, lease: Lease, weight: number, request: HttpRequest): Promise<void> {
  const { now } = request.internal;
  const wholeWeight = Math.min(weight, bucketSize(lease.buckets.key.rateLimit));
  const fromLease = Math.min(lease.tokens, wholeWeight - 1);
  const missing = wholeWeight - 1 - fromLease;
  // Taken before the wait, so that no other request takes them too.
  lease.tokens -= fromLease;
  const isPaid = missing === 0 || (await lengthen(hash, lease, missing, now));
  lease.tokens += isPaid ? -missing : fromLease;
  tellRateLimit(lease, request);
  if (!isPaid) throw rateLimited(lease, wholeWeight, now);
  await payFromFamily(hash, lease, weight, wholeWeight, request);
}

/** Otherwise a family could multiply its limit by keys with a low one, of which each pays little for what is heavy. */
async function payFromFamily(hash: string, lease: Lease, weight: number, paid: number, request: HttpRequest) {
  const { now } = request.internal;
  const { key, family } = lease.buckets;
  const whole = family ? Math.min(weight, bucketSize(family.rateLimit)) : paid;
  if (!family || key.familyHash === null || whole <= paid) return;
  const taken = await takeFromFamily(key.familyHash, family, whole - paid, microseconds(now));
  if (!taken) throw unknown(hash, now);
  lease.buckets = { key, family: taken.family };
  if (taken.isTaken) return;
  // The key's own tokens are left for its next requests.
  lease.tokens += paid - 1;
  tellRateLimit(lease, request);
  throw rateLimited(lease, whole, now, taken.family);
}

/** Adds at least so many tokens to a lease, or none. @returns whether the bucket had them */
async function lengthen(hash: string, lease: Lease, atLeast: number, now: Date): Promise<boolean> {
  const block = Math.max(atLeast, nextLeaseSize(lease.size, lease.tokens, lease.buckets.key.rateLimit));
  const taken = await leaseTokens(hash, block, microseconds(now), lease.buckets, atLeast);
  if (!taken) throw unknown(hash, now);
  const { tokens, ...buckets } = taken;
  lease.buckets = buckets;
  lease.tokens += tokens;
  return tokens >= atLeast;
}

function tellRateLimit({ buckets, tokens }: Lease, { internal }: HttpRequest): void {
  const { now } = internal;
  const bucket = scarcer(buckets, now);
  Object.assign(internal.headers, {
    ratelimit: `"default";r=${tokens + remaining(bucket, now)};t=${secondsUntilFull(bucket.fullAt, microseconds(now))}`,
    'ratelimit-policy': `"default";q=${buckets.key.rateLimit};w=60`,
  });
}

/** @param weight what the bucket must hold for the request to pass */
function rateLimited({ buckets }: Lease, weight: number, now: Date, bucket = scarcer(buckets, now)): Problem {
  const { rateLimit, fullAt } = bucket;
  const whose = bucket === buckets.family ? 'The keys of its family together allow' : 'The key allows';
  const seconds = secondsUntilTokens(weight, fullAt, microseconds(now), rateLimit);
  const counted = weight > 1 ? `, and this one counts as ${weight}` : '';
  return new Problem('rate_limited', {
    detail: `${whose} ${rateLimit} requests a minute${counted}; try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

function microseconds(moment: Date): number {
  return moment.getTime() * 1_000;
}
