import * as v from 'valibot';
import { ensureUserBucket } from '#shared/data/keys/api-keys.ts';
import {
  emailKey,
  emailPartition,
  linkKey,
  organizationKey,
  personKey,
  personPartition,
  userBucket,
  userKey,
} from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { refusing, transact } from '#shared/data/table/transaction.ts';
import { assign, type Condition, check } from '#shared/data/table/writes.ts';
import { ORGANIZATION_STATUSES } from '#shared/domain/organization/deletion.ts';
import { USER_STATUSES } from '#shared/domain/organization/users.ts';
import { type Membership, notAMember, PERSON_RATE_LIMIT, type Person, theOnly } from '#shared/domain/person.ts';
import { ROLES } from '#shared/domain/role.ts';
import { foldEmail } from '#shared/domain/text.ts';

/**
 * The users that a person is. The link is made at the first request, by the verified email, and holds from then on: a
 * later change of the email, there or here, ends nothing. A link to a user who was removed counts as none.
 */

const reference = v.object({ organizationId: v.string(), userId: v.string() });

const linked = v.object({ person: v.string(), userId: v.string() });

type Reference = v.InferOutput<typeof reference>;

/**
 * @param organizationId none for the only one
 * @param known as this function last saw it, to find in one trip that nothing has changed
 * @throws Problem `not_a_member`, `organization_required`
 */
export async function membershipOf(person: Person, organizationId?: string, known?: Membership): Promise<Membership> {
  const readLinks = () => readReferences(partitionOf(person), organizationId);
  if (known) {
    const links = organizationId === undefined ? readLinks() : [known];
    const [[link, other], [same]] = await Promise.all([links, readMemberships([known])]);
    if (same && link?.userId === same.userId && !other) return same;
  }
  const linked = await readMemberships(await readLinks());
  if (linked.length > 0) return theOnly(linked);
  if (person.email === null) throw notAMember();
  const matching = theOnly(await readMatching(person.email, organizationId));
  await link(person, person.email, matching);
  return matching;
}

/** Those that it is linked to, and those that its first request would link it to, newest organizations first. */
export async function membershipsOf(person: Person): Promise<Membership[]> {
  const linked = await readMemberships(await readReferences(partitionOf(person)));
  const ids = new Set(linked.map(({ organizationId }) => organizationId));
  const matching = person.email === null ? [] : await readMatching(person.email);
  const others = matching.filter(({ organizationId }) => !ids.has(organizationId));
  return [...linked, ...others].sort((a, b) => (a.organizationId < b.organizationId ? 1 : -1));
}

const partitionOf = ({ issuer, subject }: Person): string => personPartition(issuer, subject);

/** Active users with the email, in one organization or in all. */
export async function readMatching(email: string, organizationId?: string): Promise<Membership[]> {
  return readMemberships(await readReferences(emailPartition(foldEmail(email)), organizationId));
}

/** People and emails both have an item for each organization. */
async function readReferences(partition: string, organizationId?: string): Promise<Reference[]> {
  const items =
    organizationId === undefined
      ? await readCollection({ partition })
      : [await readItem({ pk: partition, sk: organizationId })].filter((item) => item !== undefined);
  return v.parse(v.array(reference), items);
}

/** Whatever is unknown gives no rights. */
const standing = v.object({ role: known(ROLES, 'member'), status: known(USER_STATUSES, 'removed') });

const organization = v.object({
  name: v.string(),
  currency: v.string(),
  status: known(ORGANIZATION_STATUSES, 'deleting'),
});

/** @returns those of active users of organizations that are not being deleted, in the order of the references */
export async function readMemberships(references: readonly Reference[]): Promise<Membership[]> {
  const keys = references.flatMap(({ organizationId, userId }) => [
    userKey(organizationId, userId),
    organizationKey(organizationId),
  ]);
  const itemOf = await readItems(keys);
  return references.flatMap(({ organizationId, userId }) => {
    const person = v.safeParse(standing, itemOf(userKey(organizationId, userId)));
    const its = v.safeParse(organization, itemOf(organizationKey(organizationId)));
    if (!person.success || !its.success) return [];
    const { name: organizationName, currency, status } = its.output;
    if (person.output.status !== 'active' || status !== 'active') return [];
    return [{ organizationId, organizationName, currency, userId, role: person.output.role }];
  });
}

/** Unless the email has another user by now, or none. The link may be there already. */
async function link(person: Person, email: string, { organizationId, userId }: Membership): Promise<void> {
  const partition = partitionOf(person);
  await transact([
    assign({ ...personKey(partition, organizationId), organizationId, userId }, v.parser(reference)),
    assign({ ...linkKey(organizationId, userId, partition), person: partition, userId }, v.parser(linked)),
    ensureUserBucket(userBucket(organizationId, userId), PERSON_RATE_LIMIT),
    refusing(check(emailKey(organizationId, foldEmail(email)), isOf(userId)), notAMember),
  ]);
}

const isOf = (userId: string): Condition => ({
  ConditionExpression: 'userId = :user',
  ExpressionAttributeValues: { ':user': userId },
});
