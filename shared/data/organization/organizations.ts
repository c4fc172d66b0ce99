import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { organization as organizationSchema } from '#shared/contract/organization/organization.ts';
import {
  type Key,
  organizationCountKey,
  organizationKey,
  organizationListingKey,
  organizationNameKey,
  organizationNamePartition,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Item } from '#shared/data/table/query.ts';
import { increase } from '#shared/data/table/sums.ts';
import { ConditionFailed, type TransactItem, transact, tryTransact } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import { creationOf } from '#shared/domain/id.ts';
import { ORGANIZATION_STATUSES, type OrganizationStatus } from '#shared/domain/organization/deletion.ts';
import { NO_PROFILE, type Organization } from '#shared/domain/organization/organization.ts';
import { fault, type Problem, unauthenticated } from '#shared/domain/problems.ts';
import { foldName } from '#shared/domain/text.ts';

/** A second item holds the name of an organization, so no two can have the same. Both are written together. */

const named = v.object({ id: v.string(), name: v.string(), currency: v.string() });

export type NamedOrganization = v.InferOutput<typeof named>;

const stored = v.object({
  ...organizationSchema.entries,
  status: v.picklist(ORGANIZATION_STATUSES),
  version: v.number(),
});

export type StoredOrganization = Organization & Versioned & { readonly status: OrganizationStatus };

/** The first mention of a name makes the organization. @param name without space around it */
export async function ensureOrganization(name: string, currency: string): Promise<NamedOrganization> {
  const found = await findOrganization(name);
  if (found) return found;
  const id = uuidV7();
  const createdAt = creationOf(id);
  const organization = { ...NO_PROFILE, id, name, currency, createdAt, updatedAt: createdAt };
  const isMade = await tryTransact(insertion(organization));
  // Another first mention has made it at the same moment.
  return isMade ? { id, name, currency } : ensureOrganization(name, currency);
}

function insertion({ id, name, currency, ...others }: Organization): TransactItem[] {
  const organization = { id, name, currency, ...others, status: 'active', version: newVersion() };
  return [
    put({ ...nameKey(name), id, name, currency }, IS_ABSENT),
    put({ ...organizationKey(id), ...organization }, IS_ABSENT),
    put({ ...organizationListingKey(id), id, status: 'active' }, IS_ABSENT),
    increase(organizationCountKey, { all: 1 }),
  ];
}

export async function findOrganization(name: string): Promise<NamedOrganization | undefined> {
  const item = await readItem(nameKey(name));
  return item && v.parse(named, item);
}

export const nameKey = (name: string): Key => organizationNameKey(foldName(name));

export async function listOrganizations(): Promise<NamedOrganization[]> {
  const organizations = await readCollection({ partition: organizationNamePartition });
  return organizations.map((item) => v.parse(named, item)).sort((a, b) => a.name.localeCompare(b.name));
}

/** @throws Problem `unauthenticated` when it is being deleted: the caller's key ends at any moment */
export async function readOrganization(id: string): Promise<StoredOrganization> {
  return organizationFrom(await readItem(organizationKey(id)));
}

/** @throws Problem `unauthenticated` */
export function organizationFrom(item: Item | undefined): StoredOrganization {
  const organization = item && v.parse(stored, item);
  if (organization?.status !== 'active') throw unauthenticated();
  return organization;
}

/** One that is being deleted, too. */
export async function findOrganizationById(id: string): Promise<StoredOrganization | undefined> {
  const item = await readItem(organizationKey(id));
  return item && v.parse(stored, item);
}

/**
 * A failed version comes first: the name may have changed too.
 *
 * @throws Problem `organization_name_taken`; ConditionFailed
 */
export async function saveOrganization(current: StoredOrganization, changed: StoredOrganization): Promise<void> {
  if (changed === current) return;
  const renaming = changed.name === current.name ? [] : takeName(current, changed);
  try {
    await transact([replacement(current, changed), ...renaming]);
  } catch (error) {
    throw error instanceof ConditionFailed && !error.failedAt(0) ? nameTaken() : error;
  }
}

/** @param others attributes beside those of an organization */
export function replacement(before: StoredOrganization, after: StoredOrganization, others: object = {}): TransactItem {
  const attributes = v.parse(stored, { ...after, version: newVersion() });
  return put({ ...organizationKey(before.id), ...attributes, ...others }, unchangedSince(before));
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
