import * as v from 'valibot';
import { record } from '#shared/data/events/outbox.ts';
import { ensureUserBucket } from '#shared/data/keys/api-keys.ts';
import {
  emailPartition,
  linkKey,
  organizationKey,
  personPartition,
  referenceKey,
  userBucket,
  userKey,
} from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { textSet } from '#shared/data/table/members.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion } from '#shared/data/table/versioned.ts';
import { assign, type Condition, IS_ABSENT, update } from '#shared/data/table/writes.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { type Principal, userPrincipal } from '#shared/domain/keys/api-key.ts';
import { ORGANIZATION_STATUSES } from '#shared/domain/organization/deletion.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { type Membership, notLinkable, PERSON_RATE_LIMIT, type Person, theOnly } from '#shared/domain/person.ts';
import { ROLES } from '#shared/domain/role.ts';
import { foldEmail } from '#shared/domain/text.ts';

/**
 * The users that a person is. A request that names the organization makes the link, by the verified email; so does an
 * invitation. A later change of the email at the issuer ends nothing. The user counts its links, and raises its
 * generation to end all of them: what is left of an ended link says that there was one, until the next one replaces it.
 */

const reference = v.object({
  organizationId: v.string(),
  userId: v.string(),
  /** The generation of a link. */
  linkGeneration: v.optional(v.number()),
});

const linked = v.object({ person: v.string(), userId: v.string() });

/** What the user must have, to be the one that is meant. */
interface Reference extends v.InferOutput<typeof reference> {
  readonly foldedEmail?: string;
}

/**
 * @param organizationId none for the only one
 * @param seen as this running function last saw it, to find in one trip that nothing has changed
 * @param tell hears of a new link, which is an event; also where its write failed, since it may have been made all the
 *   same
 * @throws Problem `not_a_member`, `organization_required`
 */
export async function membershipOf(
  person: Person,
  organizationId: string | undefined,
  seen: Membership | undefined,
  now: Date,
  tell: (membership: Membership) => Promise<void>,
): Promise<Membership> {
  const readLinks = () => readReferences(partitionOf(person), organizationId);
  if (seen) {
    const links = organizationId === undefined ? readLinks() : [seen];
    const [[link, other], [same]] = await Promise.all([links, readMemberships([seen])]);
    if (same && link?.userId === same.userId && !other) return same;
  }
  if (organizationId === undefined) return theOnly(await readMemberships(await readLinks()));
  return retrying(
    () => readLink(person, organizationId),
    async (link) => link.membership ?? linkByEmail(person, organizationId, link, now, tell),
  );
}

interface Link {
  /** As it is stored, ended or not. */
  readonly stored: Reference | undefined;
  /** If it holds. */
  readonly membership: Membership | undefined;
}

export async function readLink(person: Person, organizationId: string): Promise<Link> {
  const [stored] = await readReferences(partitionOf(person), organizationId);
  const [membership] = await readMemberships(stored ? [stored] : []);
  return { stored, membership };
}

async function linkByEmail(
  person: Person,
  organizationId: string,
  { stored }: Link,
  now: Date,
  tell: (membership: Membership) => Promise<void>,
): Promise<Membership> {
  const [matching] = person.email === null ? [] : await readMatching(person.email, organizationId);
  if (!matching) throw notLinkable(person, stored !== undefined);
  await transact([...linkItems(person, matching, stored, now), linkCount(matching)]).finally(() => tell(matching));
  return matching;
}

interface ListedMembership extends Membership {
  readonly linked: boolean;
}

/** Memberships that the person is linked to, and those that a request may link it to, newest organizations first. */
export async function membershipsOf(person: Person): Promise<ListedMembership[]> {
  const held = await readMemberships(await readReferences(partitionOf(person)));
  const ids = new Set(held.map(({ organizationId }) => organizationId));
  const matching = person.email === null ? [] : await readMatching(person.email);
  const others = matching.filter(({ organizationId }) => !ids.has(organizationId));
  return [held.map((each) => ({ ...each, linked: true })), others.map((each) => ({ ...each, linked: false }))]
    .flat()
    .sort((a, b) => (a.organizationId < b.organizationId ? 1 : -1));
}

/** The person as the user that it is linked to. */
export const principalOf = (membership: Membership): Principal =>
  userPrincipal(membership, userBucket(membership.organizationId, membership.userId));

const partitionOf = ({ issuer, subject }: Person): string => personPartition(issuer, subject);

/** Active users with the email, in one organization or in all. */
export async function readMatching(email: string, organizationId?: string): Promise<Membership[]> {
  const foldedEmail = foldEmail(email);
  const references = await readReferences(emailPartition(foldedEmail), organizationId);
  return readMemberships(references.map((each) => ({ ...each, foldedEmail })));
}

async function readReferences(partition: string, organizationId?: string): Promise<Reference[]> {
  const items =
    organizationId === undefined
      ? await readCollection({ partition })
      : [await readItem(referenceKey(partition, organizationId))].filter((item) => item !== undefined);
  return v.parse(v.array(reference), items);
}

/** Whatever is unknown gives no rights. */
const userState = v.object({
  role: known(ROLES, 'member'),
  status: known(USER_STATUSES, 'removed'),
  email: v.nullable(v.string()),
  linkGeneration: v.number(),
});

const organizationState = v.object({
  name: v.string(),
  currency: v.string(),
  webhooks: textSet,
  status: known(ORGANIZATION_STATUSES, 'deleting'),
});

/** @returns those of active users of organizations that are not being deleted, in the order of the references */
export async function readMemberships(references: readonly Reference[]): Promise<Membership[]> {
  const keys = references.flatMap(({ organizationId, userId }) => [
    userKey(organizationId, userId),
    organizationKey(organizationId),
  ]);
  const itemOf = await readItems(keys);
  return references.flatMap((wanted) => {
    const { organizationId, userId } = wanted;
    const user = v.safeParse(userState, itemOf(userKey(organizationId, userId)));
    const its = v.safeParse(organizationState, itemOf(organizationKey(organizationId)));
    if (!user.success || !its.success) return [];
    const { name: organizationName, currency, webhooks, status } = its.output;
    const { role, linkGeneration } = user.output;
    if (user.output.status !== 'active' || status !== 'active' || !isMeant(user.output, wanted)) return [];
    return [{ organizationId, organizationName, currency, webhooks, userId, role, linkGeneration }];
  });
}

function isMeant({ email, linkGeneration }: v.InferOutput<typeof userState>, wanted: Reference): boolean {
  const { foldedEmail = foldEmail(email ?? '') } = wanted;
  return foldEmail(email ?? '') === foldedEmail && (wanted.linkGeneration ?? linkGeneration) === linkGeneration;
}

/**
 * The items of a link, for the transaction that also counts it in the user, with the event of that.
 *
 * @param stored what the link replaces; the transaction fails if that has changed since it was read
 */
export function linkItems(person: Person, membership: Membership, stored: Reference | undefined, now: Date): Write[] {
  const { organizationId, userId, linkGeneration } = membership;
  const partition = partitionOf(person);
  const link = { ...referenceKey(partition, organizationId), organizationId, userId, linkGeneration };
  return [
    assign(link, v.parser(reference), unchanged(stored)),
    assign({ ...linkKey(organizationId, userId, partition), person: partition, userId }, v.parser(linked)),
    ensureUserBucket(userBucket(organizationId, userId), PERSON_RATE_LIMIT),
    record(organizationId, { userId, keyId: null, via: 'sign_in' }, now, [happening('user.updated', { id: userId })]),
  ];
}

function unchanged(stored: Reference | undefined): Condition {
  if (!stored) return IS_ABSENT;
  return {
    ConditionExpression: 'userId = :user AND linkGeneration = :generation',
    ExpressionAttributeValues: { ':user': stored.userId, ':generation': stored.linkGeneration },
  };
}

/** Whatever ends the links of a user, its removal and a change of its email too, raises the generation. */
function linkCount({ organizationId, userId, linkGeneration }: Membership): TransactItem {
  return update(userKey(organizationId, userId), {
    UpdateExpression: 'SET signIns = signIns + :one, version = :version',
    ConditionExpression: 'linkGeneration = :generation',
    ExpressionAttributeValues: { ':one': 1, ':version': newVersion(), ':generation': linkGeneration },
  });
}
