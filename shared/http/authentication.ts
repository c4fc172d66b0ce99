import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import { type Bucket, type KeyRecord, leaseTokens, leaseUserTokens } from '#shared/data/keys/api-keys.ts';
import { userBucket } from '#shared/data/layout/keys.ts';
import { readStanding, type Standing } from '#shared/data/organization/standing.ts';
import { membershipOf } from '#shared/data/sign-in/memberships.ts';
import { UUID } from '#shared/domain/id.ts';
import {
  assertScope,
  hashApiKey,
  hasKeyPrefix,
  isWellFormedApiKey,
  type Principal,
} from '#shared/domain/keys/api-key.ts';
import { SCOPES_OF_ROLE } from '#shared/domain/keys/scopes.ts';
import { type Membership, notAMember, PERSON_RATE_LIMIT, type Person } from '#shared/domain/person.ts';
import { type Problem, unauthenticated } from '#shared/domain/problems.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { signedIn, takesTokens } from '#shared/sign-in/issuer.ts';
import { type HttpRequest, header, type Step } from './exchange.ts';
import { isUsable, type Lease, newLease, type Source, takeBlock, takeRest, takeToken } from './lease.ts';

/** More callers than one running function sees in ten seconds. */
const MAX_LEASES = 1_000;

/** By the hash of the key. */
const keyLeases = new BoundedMap<Lease<KeyRecord>>(MAX_LEASES);

interface PersonLease extends Lease<Bucket> {
  readonly membership: Membership;
}

/** By person and organization. */
const personLeases = new BoundedMap<PersonLease>(MAX_LEASES);

/**
 * Until when hashes of keys that do not exist are not looked up again. Nobody can have tried a key before it was made.
 */
const unknownKeys = new BoundedMap<number>(10_000);

const UNKNOWN_MILLISECONDS = 60_000;

/** Requires a key, or the token of a person who is a user. Leaves the principal and the rate-limit headers. */
export function authentication({ scope, takesAnyPerson }: Pick<Endpoint, 'scope' | 'takesAnyPerson'>): Step {
  return {
    before: async (request) => {
      const credential = bearerCredential(request);
      if (isWellFormedApiKey(credential)) {
        pass(await keyLease(hashApiKey(credential), request.internal.now), request);
        return;
      }
      if (!takesTokens || hasKeyPrefix(credential)) throw unauthenticated();
      const person = await signedIn(credential);
      // Nobody who signs in acts for the platform, whatever the organization.
      if (isOfPlatform(scope)) assertScope([], scope);
      if (takesAnyPerson) request.internal.person = person;
      else pass(await personLease(person, organizationOf(request), request.internal.now), request);
    },
  };
}

function bearerCredential(request: HttpRequest): string {
  const [, credential] = /^Bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '') ?? [];
  if (!credential) throw unauthenticated();
  return credential;
}

function pass<Own extends Bucket>(lease: Lease<Own>, request: HttpRequest): void {
  request.internal.principal = lease.principal;
  takeToken(lease, request);
  request.internal.takeRestOfTokens = (weight) => takeRest(lease, weight, request);
}

async function keyLease(hash: string, now: Date): Promise<Lease<KeyRecord>> {
  if (now.getTime() < (unknownKeys.get(hash) ?? 0)) throw unauthenticated();
  const held = keyLeases.get(hash);
  const lease = held && isUsable(held, now) ? held : await newKeyLease(hash, held, now);
  const { expiresAt } = lease.principal;
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) throw unauthenticated();
  return lease;
}

async function newKeyLease(hash: string, held: Lease<KeyRecord> | undefined, now: Date): Promise<Lease<KeyRecord>> {
  const source: Source<KeyRecord> = {
    take: (...wanted) => leaseTokens(hash, ...wanted),
    gone: (at) => unknown(hash, at),
  };
  const [taken, seenStanding] = await Promise.all([takeBlock(source, held, now), held && standingOf(held.principal)]);
  const standing = held ? seenStanding : taken && (await standingOf(taken.key));
  if (!taken || !standing) throw unknown(hash, now);
  const lease = newLease(source, taken, principalOf(hash, taken.key, standing), now);
  keyLeases.set(hash, lease);
  return lease;
}

function unknown(hash: string, now: Date): Problem {
  keyLeases.delete(hash);
  unknownKeys.set(hash, now.getTime() + UNKNOWN_MILLISECONDS);
  return unauthenticated();
}

function standingOf({ organizationId, userId }: Pick<Principal, 'organizationId' | 'userId'>) {
  return readStanding(organizationId, userId);
}

function principalOf(hash: string, key: KeyRecord, standing: Standing): Principal {
  const { id: keyId, organizationId, userId, scopes, rateLimit, expiresAt, familyHash } = key;
  const of = { organizationId, userId, ...standing, familyHash: familyHash ?? hash };
  return { keyId, ...of, scopes, rateLimit, expiresAt };
}

/** The id in `Billwright-Organization`. One that cannot exist gets the same answer as one that does not exist. */
function organizationOf(request: HttpRequest): string | undefined {
  const id = header(request, 'billwright-organization');
  if (id !== undefined && !UUID.test(id)) throw notAMember();
  return id?.toLowerCase();
}

async function personLease(person: Person, organizationId: string | undefined, now: Date): Promise<PersonLease> {
  const name = `${organizationId ?? ''}#${person.subject}`;
  const held = personLeases.get(name);
  if (held && isUsable(held, now)) return held;
  const [membership, seen] = await Promise.all([
    membershipOf(person, organizationId, held?.membership),
    held && takeBlock(held.source, held, now),
  ]);
  const isSame = held?.membership.userId === membership.userId;
  const bucket = userBucket(membership.organizationId, membership.userId);
  const source: Source<Bucket> = { take: (...wanted) => leaseUserTokens(bucket, ...wanted), gone: notAMember };
  const taken = isSame ? seen : await takeBlock(source, undefined, now);
  if (!taken) throw notAMember();
  const lease = { ...newLease(source, taken, memberPrincipal(membership, bucket), now), membership };
  personLeases.set(name, lease);
  return lease;
}

function memberPrincipal({ organizationId, userId, role, currency }: Membership, bucket: string): Principal {
  const of = { organizationId, userId, role, familyHash: bucket };
  return {
    keyId: null,
    ...of,
    scopes: SCOPES_OF_ROLE[role],
    currency,
    rateLimit: PERSON_RATE_LIMIT,
    expiresAt: null,
  };
}
