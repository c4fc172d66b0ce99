import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { MAX_ITEMS_OF_A_CHANGE, type RowChange, transactWithDirectory } from '#shared/data/directory/rows.ts';
import {
  countKey,
  emailKey,
  invitationKey,
  type Key,
  userKey,
  userNameKey,
  userPartition,
} from '#shared/data/layout/keys.ts';
import { allOf, contains, equalling, readCollection } from '#shared/data/table/collection.ts';
import { countIn } from '#shared/data/table/counts.ts';
import { readItem, requireItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { increase } from '#shared/data/table/sums.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { ITEMS_PER_TRANSACTION, refusing, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { type Condition, change, IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import { creationOf } from '#shared/domain/id.ts';
import { invitationInvalid } from '#shared/domain/organization/invitation.ts';
import {
  emailTaken,
  lastAdmin,
  MAX_USERS,
  nameTaken,
  newUser,
  tooManyUsers,
  USER_STATUSES,
  type User,
} from '#shared/domain/organization/users.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { Problem } from '#shared/domain/problems.ts';
import { ROLES } from '#shared/domain/role.ts';
import { fold, foldEmail, foldText } from '#shared/domain/text.ts';

/**
 * An active user has two items beside its own: one by the name, so no two of an organization have the same, and one by
 * the email, which finds the users of all organizations who have it. The count has the active users and their admins, so
 * that the last admin stays one, whatever happens at the same moment. The code of an open invitation finds its user by an
 * item that is there as long as the user has this invitation.
 */

/** Whatever is unknown gives no rights. */
const stored = v.object({
  ...texts('id', 'name', 'createdAt', 'updatedAt'),
  ...nullableTexts('email', 'timeZone'),
  signIns: v.number(),
  role: known(ROLES, 'member'),
  status: known(USER_STATUSES, 'removed'),
  linkGeneration: v.number(),
  invitation: v.nullable(v.object({ hash: v.string(), expiresAt: v.string() })),
  version: v.number(),
});

export type StoredUser = User & Versioned;

/**
 * The first mention of a name makes the user, an admin.
 *
 * @param others what is written with a new user
 * @throws Problem `too_many_users`
 */
export async function ensureUser(
  organizationId: string,
  name: string,
  others: (user: User) => Promise<readonly Write[]>,
): Promise<{ readonly id: string }> {
  const found = await findUser(organizationId, name);
  if (found) return found;
  const id = uuidV7();
  const user = newUser({ name, role: 'admin' }, id, new Date(creationOf(id)));
  try {
    await insertUser(organizationId, user, 'user', await others(user));
    return { id };
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'user_name_taken')) throw error;
    // Another first mention has made it at the same moment.
    return ensureUser(organizationId, name, others);
  }
}

const holder = v.object({ userId: v.string() });

export async function findUser(organizationId: string, name: string): Promise<{ readonly id: string } | undefined> {
  const item = await readItem(nameKey(organizationId, name));
  return item && { id: v.parse(holder, item).userId };
}

/** @throws Problem `not_found` */
export async function readUser(organizationId: string, id: string): Promise<StoredUser> {
  return userFrom(await requireItem(userKey(organizationId, id)));
}

interface ListRequest extends Slice {
  readonly organizationId: string;
  readonly status?: User['status'];
  readonly q?: string;
}

/** The count gives the total if there is no `q`, and reading stops at the end of the page. @throws Problem `range_too_large` */
export function readUsers({ organizationId, status, q, limit, offset }: ListRequest): Promise<Listed<User>> {
  const matching = q ? contains(q, ['foldedName', 'foldedEmail']) : undefined;
  const filter = allOf(equalling({ status }), matching);
  const total = matching ? undefined : () => countUsers(organizationId, status);
  return readPage({ partition: userPartition(organizationId), filter, limit, offset, total }, userFrom);
}

async function countUsers(organizationId: string, status: User['status'] | undefined): Promise<number> {
  const item = await readItem(countKey(organizationId, 'USER'));
  const [all, active] = [countIn(item, 'all'), countIn(item, 'active')];
  return { active, removed: all - active, any: all }[status ?? 'any'];
}

/** @param item undefined if there is no such user, which no key has */
export function userFrom(item: Item | undefined): StoredUser {
  return v.parse(stored, item);
}

/**
 * @param path of the member that makes the user, for problems
 * @throws Problem `user_name_taken`, `user_email_taken`, `too_many_users`
 */
export async function insertUser(
  organizationId: string,
  user: User,
  path: string,
  others: readonly Write[],
): Promise<void> {
  const count = countChange(organizationId, { all: 1, active: 1, admins: isAdmin(user) }, HAS_ROOM);
  const writes = [
    put(toItem(organizationId, user), userFrom, IS_ABSENT),
    ...claimChanges(organizationId, null, user),
    refusing(count, () => tooManyUsers(path)),
    ...others,
  ];
  await transactWithDirectory(organizationId, writes, { id: user.id, after: rowOf(user) });
}

/** What the directory knows of a user. */
function rowOf({ name, status }: User): RowChange['after'] {
  return { userName: name, isActive: status === 'active' };
}

/**
 * @param others at most {@link ROOM_BESIDE_A_USER}
 * @throws Problem `user_name_taken`, `user_email_taken`, `last_admin`; ConditionFailed
 */
export async function saveUser(
  organizationId: string,
  before: StoredUser,
  after: User,
  others: readonly Write[],
): Promise<void> {
  if (after === before) return;
  const writes = [...others, ...userChanges(organizationId, before, after)];
  await transactWithDirectory(organizationId, writes, { id: before.id, before: rowOf(before), after: rowOf(after) });
}

/**
 * A user takes seven items of the transaction at most: its own, two for the name, two for the email, the count, and the
 * invitation that ends.
 */
export const ROOM_BESIDE_A_USER = ITEMS_PER_TRANSACTION - 7 - MAX_ITEMS_OF_A_CHANGE;

/** Removal frees name and email. */
function userChanges(organizationId: string, before: StoredUser, after: User): Write[] {
  const amounts = { active: isActive(after) - isActive(before), admins: isAdmin(after) - isAdmin(before) };
  const count =
    amounts.admins < 0
      ? refusing(countChange(organizationId, amounts, HAS_OTHER_ADMINS), lastAdmin)
      : countChange(organizationId, amounts);
  return [
    change(toItem(organizationId, before), toItem(organizationId, after), userFrom, unchangedSince(before)),
    ...claimChanges(organizationId, before, after),
    ...invitationChanges(organizationId, before, after),
    ...(amounts.active === 0 && amounts.admins === 0 ? [] : [count]),
  ];
}

const isActive = ({ status }: User): number => (status === 'active' ? 1 : 0);

const isAdmin = (user: User): number => (user.role === 'admin' ? isActive(user) : 0);

const HAS_ROOM: Condition = {
  ConditionExpression: 'attribute_not_exists(#active) OR #active < :most',
  ExpressionAttributeValues: { ':most': MAX_USERS },
};

const HAS_OTHER_ADMINS: Condition = {
  ConditionExpression: '#admins > :one',
  ExpressionAttributeValues: { ':one': 1 },
};

function countChange(organizationId: string, amounts: Readonly<Record<string, number>>, condition?: Condition): Write {
  return increase(countKey(organizationId, 'USER'), amounts, condition);
}

/** A name or an email that an active user holds. */
interface Claim {
  readonly item: Key & { readonly userId: string };
  readonly refusal: () => Problem;
}

function claimsOf(organizationId: string, user: User | null): Claim[] {
  if (!user || user.status === 'removed') return [];
  const { id: userId, name, email } = user;
  const ofName = { item: { ...nameKey(organizationId, name), userId }, refusal: nameTaken };
  if (email === null) return [ofName];
  const item = { ...emailKey(organizationId, foldEmail(email)), organizationId, userId };
  return [ofName, { item, refusal: emailTaken }];
}

function claimChanges(organizationId: string, before: User | null, after: User): Write[] {
  const [held, wanted] = [claimsOf(organizationId, before), claimsOf(organizationId, after)];
  const without = (claims: readonly Claim[], others: readonly Claim[]) =>
    claims.filter(({ item }) => !others.some((other) => other.item.pk === item.pk && other.item.sk === item.sk));
  return [
    ...without(wanted, held).map(({ item, refusal }) => refusing(put(item, v.parser(holder), IS_ABSENT), refusal)),
    ...without(held, wanted).map(({ item: { pk, sk } }) => remove({ pk, sk })),
  ];
}

function invitationChanges(organizationId: string, { invitation: held }: User, after: User): Write[] {
  const { id: userId, invitation: wanted } = after;
  if (held?.hash === wanted?.hash) return [];
  const ended = held ? [remove(invitationKey(held.hash))] : [];
  if (!wanted) return ended;
  const { hash, expiresAt } = wanted;
  const expiry = { [tableDefinition.timeToLiveAttribute]: Math.ceil(Date.parse(expiresAt) / 1_000) };
  return [...ended, put({ ...invitationKey(hash), organizationId, userId, expiresAt, ...expiry }, v.parser(invited))];
}

const invited = v.object({ organizationId: v.string(), userId: v.string(), expiresAt: v.string() });

type Invited = v.InferOutput<typeof invited>;

/** One read, whatever the code is. @throws Problem `invitation_invalid` */
export async function readInvited(hash: string, now: Date): Promise<Invited> {
  const item = await readItem(invitationKey(hash));
  const found = item && v.parse(invited, item);
  if (!found || Date.parse(found.expiresAt) <= now.getTime()) throw invitationInvalid();
  return found;
}

const nameKey = (organizationId: string, name: string): Key => userNameKey(organizationId, fold(name));

/** Folded copies of the searchable members let DynamoDB filter, so only matches travel. */
function toItem(organizationId: string, user: User) {
  return {
    ...userKey(organizationId, user.id),
    ...v.parse(stored, { ...user, version: newVersion() }),
    foldedName: foldText(user.name),
    foldedEmail: foldText(user.email ?? ''),
  };
}

/** Undefined where there is no active admin any more, because the organization is being deleted. */
export async function findOldestAdmin(organizationId: string): Promise<string | undefined> {
  const filter = equalling({ role: 'admin', status: 'active' });
  const partition = userPartition(organizationId);
  const [oldest] = await readCollection({ partition, filter, direction: 'asc', upTo: 1 });
  return oldest && userFrom(oldest).id;
}
