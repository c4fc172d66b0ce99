import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import {
  type Bucket,
  type KeyRecord,
  leasePersonTokens,
  leaseTokens,
  leaseUserTokens,
} from '#shared/data/keys/api-keys.ts';
import { personPartition, userBucket } from '#shared/data/layout/keys.ts';
import { readStanding, type Standing } from '#shared/data/organization/standing.ts';
import { membershipOf } from '#shared/data/sign-in/memberships.ts';
import { UUID } from '#shared/domain/id.ts';
import {
  assertNamed,
  assertScope,
  hashApiKey,
  hasKeyPrefix,
  isWellFormedApiKey,
  memberPrincipal,
  type Principal,
} from '#shared/domain/keys/api-key.ts';
import { type Membership, notAMember, notLinkable, type Person } from '#shared/domain/person.ts';
import { Problem, unauthenticated } from '#shared/domain/problems.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { signedIn, takesTokens } from '#shared/sign-in/issuer.ts';
import { type HttpRequest, header, type Step } from './exchange.ts';
import { isUsable, type Lease, newLease, refuseIfEmpty, type Source, takeBlock, takeRest, takeToken } from './lease.ts';

/** More callers than one running function sees in ten seconds. */
const MAX_LEASES = 1_000;

/** Of a caller who acts for an organization, or for the platform. */
interface ActingLease<Own extends Bucket> extends Lease<Own> {
  readonly principal: Principal;
}

/** By the hash of the key. */
const keyLeases = new BoundedMap<ActingLease<KeyRecord>>(MAX_LEASES);

interface MemberLease extends ActingLease<Bucket> {
  readonly membership: Membership;
}

/** By person and organization. */
const memberLeases = new BoundedMap<MemberLease>(MAX_LEASES);

/** Of people who act as no user, by person. */
const personLeases = new BoundedMap<Lease<Bucket>>(MAX_LEASES);

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
        assertNamed(request.internal.principal, namedOrganization(request));
        return;
      }
      if (!takesTokens || hasKeyPrefix(credential)) throw unauthenticated();
      const person = await signedIn(credential);
      // Nobody who signs in acts for the platform, whatever the organization.
      if (takesAnyPerson || isOfPlatform(scope)) {
        draw(await personLease(person, request.internal.now), request);
        if (isOfPlatform(scope)) assertScope([], scope);
        request.internal.person = person;
      } else pass(await memberLease(person, request), request);
    },
  };
}

function bearerCredential(request: HttpRequest): string {
  const [, credential] = /^Bearer +(\S+)$/i.exec(header(request, 'authorization') ?? '') ?? [];
  if (!credential) throw unauthenticated();
  return credential;
}

function namedOrganization(request: HttpRequest): string | undefined {
  return header(request, 'billwright-organization')?.toLowerCase();
}

function pass<Own extends Bucket>(lease: ActingLease<Own>, request: HttpRequest): void {
  request.internal.principal = lease.principal;
  draw(lease, request);
}

function draw<Own extends Bucket>(lease: Lease<Own>, request: HttpRequest): void {
  takeToken(lease, request);
  let paid = 1;
  request.internal.takeRestOfTokens = async (weight) => {
    await takeRest(lease, weight, paid, request);
    paid = weight;
  };
}

async function keyLease(hash: string, now: Date): Promise<ActingLease<KeyRecord>> {
  if (now.getTime() < (unknownKeys.get(hash) ?? 0)) throw unauthenticated();
  const held = keyLeases.get(hash);
  const lease = held && isUsable(held, now) ? held : await newKeyLease(hash, held, now);
  const { expiresAt } = lease.principal;
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) throw unauthenticated();
  return lease;
}

async function newKeyLease(hash: string, held: ActingLease<KeyRecord> | undefined, now: Date) {
  const source: Source<KeyRecord> = {
    whoHas: 'The key allows',
    take: (...wanted) => leaseTokens(hash, ...wanted),
    gone: (at) => unknown(hash, at),
  };
  const [taken, seenStanding] = await Promise.all([takeBlock(source, held, now), held && standingOf(held.principal)]);
  const standing = held ? seenStanding : taken && (await standingOf(taken.key));
  if (!taken || !standing) throw unknown(hash, now);
  const lease = { ...newLease(source, taken, now), principal: principalOf(hash, taken.key, standing) };
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
  return { keyId, ...of, linkGeneration: null, scopes, rateLimit, expiresAt };
}

/** A person whom an organization refuses draws from a bucket of its own. While that is empty, nothing is read for it. */
async function memberLease(person: Person, request: HttpRequest): Promise<MemberLease> {
  const { now } = request.internal;
  const organizationId = namedOrganization(request);
  // An empty header is another name than none.
  const name = JSON.stringify([organizationId, person.subject]);
  try {
    // An id that cannot exist gets the same answer as one that does not exist.
    if (organizationId !== undefined && !UUID.test(organizationId)) throw notLinkable(person, false);
    const held = memberLeases.get(name);
    if (held && isUsable(held, now)) return held;
    if (!held) refuseIfEmpty(personLeases.get(person.subject), request);
    const lease = await newMemberLease(person, organizationId, held, now);
    memberLeases.set(name, lease);
    return lease;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    memberLeases.delete(name);
    draw(await personLease(person, now), request);
    throw error;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'not_a_member' || error.code === 'organization_required');

async function newMemberLease(
  person: Person,
  organizationId: string | undefined,
  held: MemberLease | undefined,
  now: Date,
): Promise<MemberLease> {
  const [membership, seen] = await Promise.all([
    membershipOf(person, organizationId, held?.membership),
    held && takeBlock(held.source, held, now),
  ]);
  const isSame = held?.membership.userId === membership.userId;
  const bucket = userBucket(membership.organizationId, membership.userId);
  const source: Source<Bucket> = {
    whoHas: 'A user who has signed in has',
    take: (...wanted) => leaseUserTokens(bucket, ...wanted),
    gone: () => notAMember(),
  };
  const taken = isSame ? seen : await takeBlock(source, undefined, now);
  if (!taken) throw notAMember();
  return { ...newLease(source, taken, now), principal: memberPrincipal(membership, bucket), membership };
}

async function personLease(person: Person, now: Date): Promise<Lease<Bucket>> {
  const held = personLeases.get(person.subject);
  if (held && isUsable(held, now)) return held;
  const bucket = personPartition(person.issuer, person.subject);
  const source: Source<Bucket> = {
    whoHas: 'A person who has signed in, and acts as no user, has',
    take: (...wanted) => leasePersonTokens(bucket, ...wanted),
    gone: unauthenticated,
  };
  const taken = await takeBlock(source, held, now);
  if (!taken) throw unauthenticated();
  const lease = newLease(source, taken, now);
  personLeases.set(person.subject, lease);
  return lease;
}
