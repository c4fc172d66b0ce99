import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import type { Listed } from '#shared/contract/pagination.ts';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { countChange, readCount } from '#shared/data/dynamo/counts.ts';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { countKey, userKey, userNameKey, userNamePartition, userPartition } from '#shared/data/dynamo/keys.ts';
import { readPage } from '#shared/data/dynamo/offset-page.ts';
import { mapInParallel } from '#shared/data/dynamo/parallel.ts';
import type { Item } from '#shared/data/dynamo/query.ts';
import { tryTransact } from '#shared/data/dynamo/transaction.ts';
import { creationOf } from '#shared/domain/id.ts';
import { fold } from '#shared/domain/text.ts';

/**
 * Users. Each lies twice in the table: by its name, so no two have the same, and by its id, behind which all users are
 * in order. Users are counted, and never renamed or removed.
 *
 * Users of older organizations lie by their names alone, until the next new user (`countAll`).
 */

const user = v.object({ id: v.string(), name: v.string() });

export type User = v.InferOutput<typeof user>;

const IS_NEW = { ConditionExpression: 'attribute_not_exists(pk)' };

/**
 * The user with this name. Its first mention makes it.
 *
 * @param name without space around it
 */
export async function ensureUser(organizationId: string, name: string): Promise<User> {
  const found = await findUser(organizationId, name);
  if (found) return found;
  const nameKey = userNameKey(organizationId, fold(name));
  if (!(await readItem(countKey(organizationId, 'USER')))) await countAll(organizationId);
  const created = { id: uuidV7(), name };
  const isMade = await tryTransact([
    { Put: { TableName: TABLE_NAME, Item: { ...nameKey, ...created }, ...IS_NEW } },
    { Put: { TableName: TABLE_NAME, Item: { ...userKey(organizationId, created.id), ...created }, ...IS_NEW } },
    countChange(organizationId, 'USER', { all: 1 }),
  ]);
  // Another first mention has made it at the same moment.
  return isMade ? created : ensureUser(organizationId, name);
}

/** The user with this name, or undefined. @param name without space around it */
export async function findUser(organizationId: string, name: string): Promise<User | undefined> {
  const item = await readItem(userNameKey(organizationId, fold(name)));
  return item && v.parse(user, item);
}

/**
 * Lays all users by their id, and counts them. While there is no count, there are no new users either: each of them
 * begins with this. So if it happens twice at the same moment, both times find the same users.
 */
async function countAll(organizationId: string): Promise<void> {
  const users = await readByName(organizationId);
  await mapInParallel(users, (each) =>
    database.send(new PutCommand({ TableName: TABLE_NAME, Item: { ...userKey(organizationId, each.id), ...each } })),
  );
  const Item = { ...countKey(organizationId, 'USER'), all: users.length };
  await tryTransact([{ Put: { TableName: TABLE_NAME, Item, ...IS_NEW } }]);
}

/** All users of an organization, newest first. */
async function readByName(organizationId: string): Promise<User[]> {
  const items = await readCollection({ partition: userNamePartition(organizationId) });
  return items.map((item) => v.parse(user, item)).sort((one, other) => (one.id < other.id ? 1 : -1));
}

export async function readUsersById(organizationId: string): Promise<Map<string, User>> {
  return new Map((await readByName(organizationId)).map((each) => [each.id, each]));
}

interface ListRequest {
  readonly organizationId: string;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The count gives the total, and reading stops at the end of the page. Who asks is a user. So if nobody is counted yet,
 * the users are those of an older version, and all are read.
 */
export async function readUsers({ organizationId, limit, offset }: ListRequest): Promise<Listed<PresentedUser>> {
  const total = () => readCount(organizationId, 'USER');
  const page = await readPage({ partition: userPartition(organizationId), limit, offset, total }, present);
  if (page.total > 0) return page;
  const users = await readByName(organizationId);
  return { items: users.slice(offset, offset + limit).map(present), total: users.length };
}

/** The user whose item was read by its id. @param item undefined for a user that lies by its name alone */
export async function userFrom(organizationId: string, id: string, item: Item | undefined): Promise<User> {
  return v.parse(user, item ?? (await readByName(organizationId)).find((each) => each.id === id));
}

type PresentedUser = User & { readonly createdAt: string };

/** The id of a user tells when it was made. */
function present(item: Item): PresentedUser {
  const { id, name } = v.parse(user, item);
  return { id, name, createdAt: creationOf(id) };
}
