import type { KeyRecord } from '#shared/data/keys/api-keys.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { type Problem, unauthenticated } from '#shared/domain/problems.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { leaseTokens } from './buckets.ts';
import { type CallerState, readCallerState } from './caller-state.ts';
import { type ActingLease, isUsable, MAX_LEASES, newLease, type Source, takeBlock } from './lease.ts';

/** By the hash of the key. */
const leases = new BoundedMap<ActingLease<KeyRecord>>(MAX_LEASES);

/**
 * Until when hashes of keys that do not exist are not looked up again. Nobody can have tried a key before it was made.
 */
const unknownKeys = new BoundedMap<number>(10_000);

const UNKNOWN_MILLISECONDS = 60_000;

/** @throws Problem `unauthenticated` for a key that does not live, or whose user or organization does not */
export async function keyLease(hash: string, now: Date): Promise<ActingLease<KeyRecord>> {
  if (now.getTime() < (unknownKeys.get(hash) ?? 0)) throw unauthenticated();
  const held = leases.get(hash);
  const lease = held && isUsable(held, now) ? held : await renewed(hash, held, now);
  const { expiresAt } = lease.principal;
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) throw unauthenticated();
  return lease;
}

async function renewed(hash: string, held: ActingLease<KeyRecord> | undefined, now: Date) {
  const source: Source<KeyRecord> = {
    subject: 'The key allows',
    take: (...wanted) => leaseTokens(hash, ...wanted),
    refusal: (at) => forgetKey(hash, at),
  };
  const [taken, seenState] = await Promise.all([takeBlock(source, held, now), held && stateOf(held.principal)]);
  const state = held ? seenState : taken && (await stateOf(taken.own));
  if (!taken || !state) throw forgetKey(hash, now);
  const lease = { ...newLease(source, taken, now), principal: principalOf(hash, taken.own, state) };
  leases.set(hash, lease);
  return lease;
}

function forgetKey(hash: string, now: Date): Problem {
  leases.delete(hash);
  unknownKeys.set(hash, now.getTime() + UNKNOWN_MILLISECONDS);
  return unauthenticated();
}

function stateOf({ organizationId, userId }: Pick<Principal, 'organizationId' | 'userId'>) {
  return readCallerState(organizationId, userId);
}

function principalOf(hash: string, key: KeyRecord, state: CallerState): Principal {
  const { id: keyId, organizationId, userId, scopes, rateLimit, expiresAt, familyHash } = key;
  const of = { organizationId, userId, ...state, familyHash: familyHash ?? hash };
  return { keyId, ...of, linkGeneration: null, scopes, rateLimit, expiresAt };
}
