import type { Bucket } from '#shared/data/keys/api-keys.ts';
import { personPartition, userBucket } from '#shared/data/layout/keys.ts';
import { membershipOf } from '#shared/data/sign-in/memberships.ts';
import { UUID } from '#shared/domain/id.ts';
import { userPrincipal } from '#shared/domain/keys/api-key.ts';
import { type Membership, notAMember, notLinkable, type Person } from '#shared/domain/person.ts';
import { Problem, unauthenticated } from '#shared/domain/problems.ts';
import { tellWebhooks } from '#shared/queue/tell-webhooks.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { leasePersonTokens, leaseUserTokens } from './buckets.ts';
import {
  type ActingLease,
  type Charged,
  isUsable,
  type Lease,
  MAX_LEASES,
  newLease,
  refuseIfEmpty,
  type Source,
  takeBlock,
  takeToken,
} from './lease.ts';

interface UserLease extends ActingLease<Bucket> {
  readonly membership: Membership;
}

/** A request as far as it names an organization. */
export interface Naming extends Charged {
  /** The id in `Billwright-Organization`, in lower case. */
  readonly organization: string | undefined;
}

/** By person and organization. */
const userLeases = new BoundedMap<UserLease>(MAX_LEASES);

/** Leases of people who act as no user, by person. */
const personLeases = new BoundedMap<Lease<Bucket>>(MAX_LEASES);

/**
 * A person whom an organization refuses pays from the person's own bucket. While that is empty, nothing is read for it.
 */
export async function userLease(person: Person, request: Naming): Promise<UserLease> {
  const { now, organization } = request;
  // An empty header is another name than none.
  const name = JSON.stringify([organization, person.subject]);
  try {
    // An id that cannot exist gets the same answer as one that does not exist.
    if (organization !== undefined && !UUID.test(organization)) throw notLinkable(person, false);
    const held = userLeases.get(name);
    if (held && isUsable(held, now)) return held;
    if (!held) refuseIfEmpty(personLeases.get(person.subject), request);
    const lease = await newUserLease(person, request, held);
    userLeases.set(name, lease);
    return lease;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    userLeases.delete(name);
    takeToken(await personLease(person, now), request);
    throw error;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'not_a_member' || error.code === 'organization_required');

async function newUserLease(
  person: Person,
  { organization, now }: Naming,
  held: UserLease | undefined,
): Promise<UserLease> {
  const [membership, block] = await Promise.all([
    membershipOf(person, organization, held?.membership, now, tellWebhooks),
    held && takeBlock(held.source, held, now),
  ]);
  const isSame = held?.membership.userId === membership.userId;
  const bucket = userBucket(membership.organizationId, membership.userId);
  const source: Source<Bucket> = {
    subject: 'A user who has signed in has',
    take: (...wanted) => leaseUserTokens(bucket, ...wanted),
    refusal: () => notAMember(),
  };
  // Where the person is another user by now, the tokens of the former one are lost.
  const taken = isSame ? block : await takeBlock(source, undefined, now);
  if (!taken) throw notAMember();
  return { ...newLease(source, taken, now), principal: userPrincipal(membership, bucket), membership };
}

export async function personLease(person: Person, now: Date): Promise<Lease<Bucket>> {
  const held = personLeases.get(person.subject);
  if (held && isUsable(held, now)) return held;
  const bucket = personPartition(person.issuer, person.subject);
  const source: Source<Bucket> = {
    subject: 'A person who has signed in, and acts as no user, has',
    take: (...wanted) => leasePersonTokens(bucket, ...wanted),
    refusal: unauthenticated,
  };
  const taken = await takeBlock(source, held, now);
  if (!taken) throw unauthenticated();
  const lease = newLease(source, taken, now);
  personLeases.set(person.subject, lease);
  return lease;
}
