import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { user as userSchema } from '#shared/contract/organization/users.ts';
import type { Listed } from '#shared/contract/pagination.ts';
import { countKey, emailKey, type Key, userKey, userNameKey, userPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readCount } from '#shared/data/table/counts.ts';
import { readItem } from '#shared/data/table/item.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { increase } from '#shared/data/table/sums.ts';
import { refusing, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, type Versioned } from '#shared/data/table/versioned.ts';
import { type Condition, IS_ABSENT, put } from '#shared/data/table/writes.ts';
import { creationOf } from '#shared/domain/id.ts';
import {
  emailTaken,
  MAX_USERS,
  nameTaken,
  newUser,
  tooManyUsers,
  type User,
} from '#shared/domain/organization/users.ts';
import { Problem } from '#shared/domain/problems.ts';
import { fold, foldEmail } from '#shared/domain/text.ts';

/**
 * An active user has two items beside its own: one by the name, so no two of an organization have the same, and one by
 * the email, which finds the users of all organizations who have it.
 */

const stored = v.object({ ...userSchema.entries, version: v.number() });

export type StoredUser = User & Versioned;

const named = v.object({ id: v.string(), name: v.string() });

export type NamedUser = v.InferOutput<typeof named>;

/** The first mention of a name makes the user, an admin. @throws Problem `too_many_users` */
export async function ensureUser(organizationId: string, name: string): Promise<NamedUser> {
  const found = await findUser(organizationId, name);
  if (found) return found;
  const id = uuidV7();
  const user = newUser({ name, role: 'admin' }, id, new Date(creationOf(id)));
  try {
    await insertUser(organizationId, user, 'user');
    return { id, name };
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'user_name_taken')) throw error;
    // Another first mention has made it at the same moment.
    return ensureUser(organizationId, name);
  }
}

/**
 * @param path of the member that makes the user, for problems
 * @throws Problem `user_name_taken`, `user_email_taken`, `too_many_users`
 */
export async function insertUser(
  organizationId: string,
  user: User,
  path: string,
  others: readonly Write[] = [],
): Promise<void> {
  const { id, name, email, role } = user;
  const counted = { all: 1, active: 1, admins: role === 'admin' ? 1 : 0 };
  await transact([
    put({ ...userKey(organizationId, id), ...user, version: newVersion() }, IS_ABSENT),
    refusing(put({ ...nameKey(organizationId, name), id, name }, IS_ABSENT), nameTaken),
    ...(email === null
      ? []
      : [refusing(put({ ...addressKey(organizationId, email), organizationId, userId: id }, IS_ABSENT), emailTaken)]),
    refusing(increase(countKey(organizationId, 'USER'), counted, HAS_ROOM), () => tooManyUsers(path)),
    ...others,
  ]);
}

const nameKey = (organizationId: string, name: string): Key => userNameKey(organizationId, fold(name));

const addressKey = (organizationId: string, email: string): Key => emailKey(organizationId, foldEmail(email));

const HAS_ROOM: Condition = {
  ConditionExpression: 'attribute_not_exists(#active) OR #active < :most',
  ExpressionAttributeValues: { ':most': MAX_USERS },
};

export async function findUser(organizationId: string, name: string): Promise<NamedUser | undefined> {
  const item = await readItem(nameKey(organizationId, name));
  return item && v.parse(named, item);
}

export async function readUsersById(organizationId: string): Promise<Map<string, NamedUser>> {
  const items = await readCollection({ partition: userPartition(organizationId) });
  return new Map(v.parse(v.array(named), items).map((each) => [each.id, each]));
}

interface ListRequest {
  readonly organizationId: string;
  readonly limit: number;
  readonly offset: number;
}

/** The count gives the total, and reading stops at the end of the page. */
export function readUsers({ organizationId, limit, offset }: ListRequest): Promise<Listed<User>> {
  const total = () => readCount(countKey(organizationId, 'USER'));
  return readPage({ partition: userPartition(organizationId), limit, offset, total }, userFrom);
}

/** @param item undefined if there is no such user, which no key has */
export function userFrom(item: Item | undefined): StoredUser {
  return v.parse(stored, item);
}
