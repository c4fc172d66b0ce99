import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { organization as organizationSchema } from '#shared/contract/organization/organization.ts';
import { type Key, organizationKey, organizationNameKey, organizationPartition } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Item } from '#shared/data/table/query.ts';
import { ConditionFailed, type TransactItem, transact, tryTransact } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import { creationOf } from '#shared/domain/id.ts';
import { NO_PROFILE, type Organization } from '#shared/domain/organization/organization.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { foldName } from '#shared/domain/text.ts';

/** A second item holds the name of an organization, so no two can have the same. Both are written together. */

const named = v.object({ id: v.string(), name: v.string(), currency: v.string() });

export type NamedOrganization = v.InferOutput<typeof named>;

const stored = v.object({ ...organizationSchema.entries, version: v.number() });

type StoredOrganization = Organization & Versioned;

/** The first mention of a name makes the organization. @param name without space around it */
export async function ensureOrganization(name: string, currency: string): Promise<NamedOrganization> {
  const found = await findOrganization(name);
  if (found) return found;
  const id = uuidV7();
  const createdAt = creationOf(id);
  const organization = { ...NO_PROFILE, id, name, currency, createdAt, updatedAt: createdAt, version: newVersion() };
  const isMade = await tryTransact([
    put({ ...nameKey(name), id, name, currency }, IS_ABSENT),
    put({ ...organizationKey(id), ...organization }, IS_ABSENT),
  ]);
  // Another first mention has made it at the same moment.
  return isMade ? { id, name, currency } : ensureOrganization(name, currency);
}

export async function findOrganization(name: string): Promise<NamedOrganization | undefined> {
  const item = await readItem(nameKey(name));
  return item && v.parse(named, item);
}

const nameKey = (name: string): Key => organizationNameKey(foldName(name));

export async function listOrganizations(): Promise<NamedOrganization[]> {
  const organizations = await readCollection({ partition: organizationPartition });
  return organizations.map((item) => v.parse(named, item)).sort((a, b) => a.name.localeCompare(b.name));
}

export async function readOrganization(id: string): Promise<StoredOrganization> {
  return organizationFrom(await readItem(organizationKey(id)));
}

/** @param item undefined if there is no such organization, which no key has */
export function organizationFrom(item: Item | undefined): StoredOrganization {
  return v.parse(stored, item);
}

/**
 * A failed version comes first: the name may have changed too.
 *
 * @throws Problem `organization_name_taken`; ConditionFailed
 */
export async function saveOrganization(current: StoredOrganization, changed: StoredOrganization): Promise<void> {
  if (changed === current) return;
  const item = { ...organizationKey(current.id), ...v.parse(stored, { ...changed, version: newVersion() }) };
  const renaming = changed.name === current.name ? [] : takeName(current, changed);
  try {
    await transact([put(item, unchangedSince(current)), ...renaming]);
  } catch (error) {
    throw error instanceof ConditionFailed && !error.failedAt(0) ? nameTaken() : error;
  }
}

function takeName({ id, name: oldName }: Organization, { name, currency }: Organization): TransactItem[] {
  const [key, oldKey] = [nameKey(name), nameKey(oldName)];
  const free = {
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: { ':id': id },
  };
  const taken = put({ ...key, id, name, currency }, free);
  return key.sk === oldKey.sk ? [taken] : [taken, remove(oldKey)];
}

function nameTaken(): Problem {
  return fault('organization_name_taken', 'name', 'Another organization has this name.');
}
