import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import type { Listed } from '#shared/contract/pagination.ts';
import { countKey, userKey, userNameKey, userPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readCount } from '#shared/data/table/counts.ts';
import { readItem } from '#shared/data/table/item.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { increase } from '#shared/data/table/sums.ts';
import { refusing, tryTransact } from '#shared/data/table/transaction.ts';
import { type Condition, IS_ABSENT, put } from '#shared/data/table/writes.ts';
import { creationOf } from '#shared/domain/id.ts';
import { MAX_USERS, tooManyUsers } from '#shared/domain/organization/users.ts';
import { fold } from '#shared/domain/text.ts';

/** One item by the name, so no two users have the same, and one by the id. Users are never renamed or removed. */

const user = v.object({ id: v.string(), name: v.string() });

export type User = v.InferOutput<typeof user>;

/** The first mention of a name makes the user. @throws Problem `too_many_users` */
export async function ensureUser(organizationId: string, name: string): Promise<User> {
  const found = await findUser(organizationId, name);
  if (found) return found;
  const nameKey = userNameKey(organizationId, fold(name));
  const created = { id: uuidV7(), name };
  const isMade = await tryTransact([
    put({ ...nameKey, ...created }, IS_ABSENT),
    put({ ...userKey(organizationId, created.id), ...created }, IS_ABSENT),
    refusing(increase(countKey(organizationId, 'USER'), { all: 1 }, HAS_ROOM), tooManyUsers),
  ]);
  // Another first mention has made it at the same moment.
  return isMade ? created : ensureUser(organizationId, name);
}

const HAS_ROOM: Condition = {
  ConditionExpression: 'attribute_not_exists(#all) OR #all < :most',
  ExpressionAttributeValues: { ':most': MAX_USERS },
};

export async function findUser(organizationId: string, name: string): Promise<User | undefined> {
  const item = await readItem(userNameKey(organizationId, fold(name)));
  return item && v.parse(user, item);
}

export async function readUsersById(organizationId: string): Promise<Map<string, User>> {
  const items = await readCollection({ partition: userPartition(organizationId) });
  return new Map(v.parse(v.array(user), items).map((each) => [each.id, each]));
}

interface ListRequest {
  readonly organizationId: string;
  readonly limit: number;
  readonly offset: number;
}

/** The count gives the total, and reading stops at the end of the page. */
export function readUsers({ organizationId, limit, offset }: ListRequest): Promise<Listed<PresentedUser>> {
  const total = () => readCount(countKey(organizationId, 'USER'));
  return readPage({ partition: userPartition(organizationId), limit, offset, total }, present);
}

/** @param item undefined if there is no such user, which no key has */
export function userFrom(item: Item | undefined): User {
  return v.parse(user, item);
}

type PresentedUser = User & { readonly createdAt: string };

/** The id of a user tells when it was made. */
function present(item: Item): PresentedUser {
  const { id, name } = v.parse(user, item);
  return { id, name, createdAt: creationOf(id) };
}
