import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { organization as organizationSchema } from '#shared/contract/organization/organization.ts';
import { batchGet } from '#shared/data/dynamo/batch.ts';
import { equalling, readCollection } from '#shared/data/dynamo/collection.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import { type Key, organizationKey, organizationNameKey, organizationPartition } from '#shared/data/dynamo/keys.ts';
import type { Item } from '#shared/data/dynamo/query.ts';
import { ConditionFailed, type TransactItem, transact, tryTransact } from '#shared/data/dynamo/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/dynamo/versioned.ts';
import { creationOf } from '#shared/domain/id.ts';
import { NO_PROFILE, type Organization } from '#shared/domain/organization/organization.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { fold, foldName } from '#shared/domain/text.ts';

/**
 * Organizations. One item has the organization by its id. A second one holds its name, so no two organizations can have
 * the same name. Both are written together. An organization that was never changed has only its name and currency: its
 * profile is empty, and its id tells when it was made.
 */

const named = v.object({ id: v.string(), name: v.string(), currency: v.string() });

/** What the item of a name tells of its organization. */
export type NamedOrganization = v.InferOutput<typeof named>;

const stored = v.object({ ...organizationSchema.entries, version: v.number() });

type StoredOrganization = Organization & Versioned;

/**
 * The organization with this name. Its first mention makes it.
 *
 * @param name without space around it
 * @param currency the default currency, if this is the organization's first mention
 */
export async function ensureOrganization(name: string, currency: string): Promise<NamedOrganization> {
  const found = await findOrganization(name);
  if (found) return found;
  const created = { id: uuidV7(), name, currency };
  const isMade = await tryTransact([putNew(nameKey(name), created), putNew(organizationKey(created.id), created)]);
  // Another first mention has made it at the same moment.
  return isMade ? created : ensureOrganization(name, currency);
}

const putNew = (key: Key, attributes: Item): TransactItem => ({
  Put: { TableName: TABLE_NAME, Item: { ...key, ...attributes }, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** The organization with this name, or undefined. @param name without space around it */
export async function findOrganization(name: string): Promise<NamedOrganization | undefined> {
  for (const key of nameKeys(name)) {
    const item = await readItem(key);
    if (item) return v.parse(named, item);
  }
  return undefined;
}

const nameKey = (name: string): Key => organizationNameKey(foldName(name));

/** Where a name may lie. Names with several spaces in a row once lay apart from those with one. */
function nameKeys(name: string): Key[] {
  return [...new Set([fold(name), foldName(name)])].map(organizationNameKey);
}

/** All organizations, by name. */
export async function listOrganizations(): Promise<NamedOrganization[]> {
  const organizations = await readCollection({ partition: organizationPartition });
  return organizations.map((item) => v.parse(named, item)).sort((a, b) => a.name.localeCompare(b.name));
}

/** The organization of a key, as it is now. */
export async function readOrganization(id: string): Promise<StoredOrganization> {
  return organizationFrom(id, await readItem(organizationKey(id)));
}

/** @param item undefined for an organization that was made before organizations lay by their id */
export async function organizationFrom(id: string, item: Item | undefined): Promise<StoredOrganization> {
  const createdAt = creationOf(id);
  const atFirst = { ...NO_PROFILE, createdAt, updatedAt: createdAt, version: 0 };
  return v.parse(stored, { ...atFirst, ...(item ?? (await findById(id))) });
}

async function findById(id: string): Promise<Item | undefined> {
  const [item] = await readCollection({ partition: organizationPartition, filter: equalling({ id }) });
  return item;
}

/**
 * A failed version comes first: if somebody else has changed the organization, its name may have changed too.
 *
 * @throws Problem `organization_name_taken`
 * @throws ConditionFailed when somebody else has changed the organization since it was read
 */
export async function saveOrganization(current: StoredOrganization, changed: StoredOrganization): Promise<void> {
  if (changed === current) return;
  const { id } = current;
  const Item = { ...organizationKey(id), ...v.parse(stored, { ...changed, version: newVersion() }) };
  const put = { Put: { TableName: TABLE_NAME, Item, ...unchanged(current) } };
  const renaming = changed.name === current.name ? [] : await takeName(current, changed);
  try {
    await transact([put, ...renaming]);
  } catch (error) {
    throw error instanceof ConditionFailed && !error.failedAt(0) ? nameTaken() : error;
  }
}

function unchanged(current: Versioned) {
  return current.version === 0 ? { ConditionExpression: 'attribute_not_exists(version)' } : unchangedSince(current);
}

/** Takes the new name, unless another organization has it, and frees the old one. */
async function takeName(
  { id, name: oldName }: Organization,
  { name, currency }: Organization,
): Promise<TransactItem[]> {
  const key = nameKey(name);
  const ConditionExpression = 'attribute_not_exists(pk) OR id = :id';
  const Item = { ...key, id, name, currency };
  const taken = { TableName: TABLE_NAME, Item, ConditionExpression, ExpressionAttributeValues: { ':id': id } };
  const held = (await batchGet(nameKeys(oldName))).filter((item) => item.id === id && item.sk !== key.sk);
  return [{ Put: taken }, ...held.map(({ pk, sk }) => ({ Delete: { TableName: TABLE_NAME, Key: { pk, sk } } }))];
}

function nameTaken(): Problem {
  return fault('organization_name_taken', 'name', 'Another organization has this name.');
}
