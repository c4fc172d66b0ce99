import type { Bucket } from '#shared/data/keys/api-keys.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import {
  availableTokens,
  bucketSize,
  nextLeaseSize,
  secondsUntilFull,
  secondsUntilTokens,
} from '#shared/domain/keys/token-bucket.ts';
import { type Problem, retryable } from '#shared/domain/problems.ts';
import { LEASE_MILLISECONDS } from '#shared/runtime/lease.ts';
import { type Buckets, type Taken, takeFromFamily } from './buckets.ts';

/**
 * A running function keeps what it knows of a caller for some seconds, and either a block of tokens that it took in one
 * write, or the moment until which the bucket is empty.
 */
export interface Lease<Own extends Bucket> {
  readonly source: Source<Own>;
  buckets: Buckets<Own>;
  readonly size: number;
  tokens: number;
  /** Milliseconds since the epoch */
  readonly endsAt: number;
}

/** The lease of a caller who acts for an organization, or for the platform. */
export interface ActingLease<Own extends Bucket> extends Lease<Own> {
  readonly principal: Principal;
}

/** More callers than one running function sees in ten seconds. */
export const MAX_LEASES = 1_000;

/** A request as far as its tokens go. */
export interface Charged {
  readonly now: Date;
  /** Takes the headers about the rate limit, which the response has whatever becomes of the request. */
  readonly tell: (headers: Readonly<Record<string, string>>) => void;
}

export interface Source<Own extends Bucket> {
  /** How the sentence of a 429 begins, before the limit. */
  readonly subject: string;
  /** As `leaseTokens` does. */
  readonly take: (wanted: number, now: number, known?: Buckets<Own>, atLeast?: number) => Promise<Taken<Own>>;
  /** What a caller is told who has gone. */
  readonly refusal: (now: Date) => Problem;
}

export function newLease<Own extends Bucket>(
  source: Source<Own>,
  { tokens, ...buckets }: NonNullable<Taken<Own>>,
  now: Date,
): Lease<Own> {
  const endsAt = now.getTime() + LEASE_MILLISECONDS;
  return { source, buckets, size: Math.max(1, tokens), tokens, endsAt };
}

export function isUsable<Own extends Bucket>(lease: Lease<Own>, now: Date): boolean {
  return now.getTime() < lease.endsAt && (lease.tokens > 0 || isExhausted(lease, now));
}

/** The next block of tokens, or the first one. */
export function takeBlock<Own extends Bucket>(source: Source<Own>, held: Lease<Own> | undefined, now: Date) {
  if (!held) return source.take(1, microseconds(now));
  const { size, tokens, buckets } = held;
  return source.take(nextLeaseSize(size, tokens, buckets.own.rateLimit), microseconds(now), buckets);
}

type Held = Pick<Lease<Bucket>, 'buckets' | 'tokens'>;

function scarcer({ own, family }: Buckets<Bucket>, now: Date): Bucket {
  return family && remaining(family, now) < remaining(own, now) ? family : own;
}

function remaining({ fullAt, rateLimit }: Bucket, now: Date): number {
  return availableTokens(fullAt, microseconds(now), rateLimit);
}

/** An empty bucket is not asked again before it can hold a token, so a refusal costs nothing. */
function isExhausted({ buckets, tokens }: Held, now: Date): boolean {
  return tokens === 0 && remaining(scarcer(buckets, now), now) === 0;
}

export function takeToken<Own extends Bucket>(lease: Lease<Own>, request: Charged): void {
  const granted = lease.tokens > 0;
  if (granted) lease.tokens -= 1;
  tellRateLimit(lease, request);
  if (!granted) throw rateLimited(lease, 1, request.now);
}

/** For a request that must not begin while the bucket is empty, and that takes its token later. */
export function refuseIfEmpty<Own extends Bucket>(lease: Lease<Own> | undefined, request: Charged): void {
  if (lease && isExhausted(lease, request.now)) takeToken(lease, request);
}

/**
 * Takes the tokens by which the weight exceeds what is paid. A request that outweighs the full bucket of its key takes
 * the whole bucket, and the rest from that of the family.
 *
 * @param weight in all
 * @param paid of it before: at least the first token
 */
export async function takeRest<Own extends Bucket>(
  lease: Lease<Own>,
  weight: number,
  paid: number,
  request: Charged,
): Promise<void> {
  const { now } = request;
  const size = bucketSize(lease.buckets.own.rateLimit);
  const wholeWeight = Math.min(weight, size);
  const due = wholeWeight - Math.min(paid, size);
  const fromLease = Math.min(lease.tokens, due);
  const missing = due - fromLease;
  // Taken before the wait, so that no other request takes them too.
  lease.tokens -= fromLease;
  const isPaid = missing === 0 || (await lengthen(lease, missing, now));
  lease.tokens += isPaid ? -missing : fromLease;
  tellRateLimit(lease, request);
  if (!isPaid) throw rateLimited(lease, wholeWeight, now);
  await payFromFamily(lease, weight, paid, request);
}

/** Otherwise a family could multiply its limit by keys with a low one, of which each pays little for what is heavy. */
async function payFromFamily<Own extends Bucket>(lease: Lease<Own>, weight: number, paid: number, request: Charged) {
  const { now } = request;
  const { own, family } = lease.buckets;
  if (!family) return;
  const [ownSize, size] = [bucketSize(own.rateLimit), bucketSize(family.rateLimit)];
  const beyondOwn = (tokens: number) => Math.max(0, Math.min(tokens, size) - Math.min(tokens, ownSize));
  const due = beyondOwn(weight) - beyondOwn(paid);
  if (due === 0) return;
  const taken = await takeFromFamily(family, due, microseconds(now));
  if (!taken) throw lease.source.refusal(now);
  lease.buckets = { own, family: taken.family };
  if (taken.isTaken) return;
  // The key's own tokens are left for its next requests.
  lease.tokens += Math.min(weight, ownSize) - Math.min(paid, ownSize);
  tellRateLimit(lease, request);
  throw rateLimited(lease, Math.min(weight, size), now, taken.family);
}

/** Adds at least so many tokens to a lease, or none. @returns whether the bucket had them */
async function lengthen<Own extends Bucket>(lease: Lease<Own>, atLeast: number, now: Date): Promise<boolean> {
  const block = Math.max(atLeast, nextLeaseSize(lease.size, lease.tokens, lease.buckets.own.rateLimit));
  const taken = await lease.source.take(block, microseconds(now), lease.buckets, atLeast);
  if (!taken) throw lease.source.refusal(now);
  const { tokens, ...buckets } = taken;
  lease.buckets = buckets;
  lease.tokens += tokens;
  return tokens >= atLeast;
}

function tellRateLimit({ buckets, tokens }: Held, { now, tell }: Charged): void {
  const bucket = scarcer(buckets, now);
  // The bucket refills while the lease holds tokens.
  const left = Math.min(buckets.own.rateLimit, tokens + remaining(bucket, now));
  tell({
    ratelimit: `"default";r=${left};t=${secondsUntilFull(bucket.fullAt, microseconds(now))}`,
    'ratelimit-policy': `"default";q=${buckets.own.rateLimit};w=60`,
  });
}

/** @param weight what the bucket must hold for the request to pass */
function rateLimited<Own extends Bucket>(
  { buckets, source }: Lease<Own>,
  weight: number,
  now: Date,
  bucket: Bucket = scarcer(buckets, now),
): Problem {
  const { rateLimit, fullAt } = bucket;
  const subject = bucket === buckets.family ? 'The keys of its family together allow' : source.subject;
  const seconds = secondsUntilTokens(weight, fullAt, microseconds(now), rateLimit);
  const counted = weight > 1 ? `, and this one counts as ${weight}` : '';
  const detail = `${subject} ${rateLimit} requests a minute${counted}; try again in ${seconds} s.`;
  return retryable('rate_limited', detail, seconds);
}

function microseconds(moment: Date): number {
  return moment.getTime() * 1_000;
}
