import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { awaitLock, LOCK_PAUSE_MILLISECONDS, lockWrites } from '#shared/data/directory/lock.ts';
import { toOrganizationRow, transactWithDirectory } from '#shared/data/directory/rows.ts';
import {
  type Key,
  organizationCountKey,
  organizationKey,
  organizationListingKey,
  organizationNameKey,
  organizationNamePartition,
  organizationPartition,
} from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { equalling, readCollection } from '#shared/data/table/collection.ts';
import { countIn } from '#shared/data/table/counts.ts';
import { readItem, requireItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { details, nullableDays, nullableTexts, texts, timeRounding } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { sparse } from '#shared/data/table/sparse.ts';
import { increase } from '#shared/data/table/sums.ts';
import { refusing, type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { assign, change, IS_ABSENT, put, remove, unread } from '#shared/data/table/writes.ts';
import { creationOf } from '#shared/domain/id.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { ORGANIZATION_STATUSES, type OrganizationStatus } from '#shared/domain/organization/deletion.ts';
import { NO_PROFILE, newOrganization, type Organization } from '#shared/domain/organization/organization.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { fault, Problem, unauthenticated } from '#shared/domain/problems.ts';
import { TAX_ROUNDINGS } from '#shared/domain/tax.ts';
import { foldText } from '#shared/domain/text.ts';

/** A second item holds the name of an organization, so no two can have the same. Both are written together. */

const named = v.object({ id: v.string(), name: v.string() });

export type NamedOrganization = v.InferOutput<typeof named>;

/** Documents have copies of them. */
export const sellerMembers = {
  ...texts('name'),
  ...details,
  ...nullableTexts(
    'legalName',
    'registrationNumber',
    'bankDetails',
    'iban',
    'bic',
    'accountName',
    'contactName',
    'logo',
    'accentColor',
    'footer',
  ),
};

const printsHours = v.optional(v.boolean(), false);

const stored = sparse(
  v.object({
    ...texts('id', 'currency', 'createdAt', 'updatedAt'),
    ...sellerMembers,
    ...nullableTexts('invoiceNotes', 'timeZone'),
    paymentTermsDays: v.nullable(v.number()),
    locale: v.nullable(known(LOCALES, null)),
    taxRounding: known(TAX_ROUNDINGS, NO_PROFILE.taxRounding),
    chronologicalNumbers: v.optional(v.boolean(), false),
    rounding: v.nullable(timeRounding),
    printsHours,
    ...nullableDays('lockedThrough'),
    /** Nobody acts for one whose status is unknown. */
    status: known(ORGANIZATION_STATUSES, 'deleting'),
    version: v.number(),
  }),
);

export type StoredOrganization = Organization & Versioned & { readonly status: OrganizationStatus };

/** The first mention of a name makes the organization. @param name without space around it */
export async function ensureOrganization(name: string, currency: string): Promise<NamedOrganization> {
  const found = await findOrganization(name);
  if (found) return found;
  const id = uuidV7();
  try {
    await transact(insertion(newOrganization({ name, currency }, id, new Date(creationOf(id)))));
    return { id, name };
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'organization_name_taken')) throw error;
    // Another first mention has made it at the same moment.
    return ensureOrganization(name, currency);
  }
}

/** The writes refuse a name that is taken: `organization_name_taken`. */
export function insertion(organization: Organization): Write[] {
  const { id, name } = organization;
  const status: OrganizationStatus = 'active';
  return [
    refusing(put({ ...nameKey(name), id, name }, v.parser(named), IS_ABSENT), nameTaken),
    put({ ...organizationKey(id), ...organization, status, version: newVersion() }, v.parser(stored), IS_ABSENT),
    put({ ...organizationListingKey(id), id, status }, unread, IS_ABSENT),
    increase(organizationCountKey, { all: 1 }),
  ];
}

export async function findOrganization(name: string): Promise<NamedOrganization | undefined> {
  const item = await readItem(nameKey(name));
  return item && v.parse(named, item);
}

export const nameKey = (name: string): Key => organizationNameKey(foldText(name));

export async function listOrganizationNames(): Promise<NamedOrganization[]> {
  const organizations = await readCollection({ partition: organizationNamePartition });
  return organizations.map((item) => v.parse(named, item)).sort((a, b) => a.name.localeCompare(b.name));
}

/** @throws Problem `unauthenticated` when it is being deleted: the caller's key ends at any moment */
export async function readOrganization(id: string): Promise<StoredOrganization> {
  return organizationFrom(await readItem(organizationKey(id)));
}

/** While an organization is being deleted, its item may be gone already. */
export async function readPrintsHours(id: string): Promise<boolean> {
  const found = v.parse(v.optional(v.object({ printsHours })), await readItem(organizationKey(id)));
  return found?.printsHours ?? false;
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

/** @throws Problem `not_found` */
export async function requireOrganization(id: string): Promise<StoredOrganization> {
  return v.parse(stored, await requireItem(organizationKey(id)));
}

interface ListRequest extends Slice {
  readonly status?: OrganizationStatus;
}

/** The counts give the total, and tell where reading stops. @throws Problem `range_too_large` */
export async function readOrganizations({ status, ...page }: ListRequest): Promise<Listed<StoredOrganization>> {
  const filter = equalling({ status });
  const total = async () => {
    const item = await readItem(organizationCountKey);
    const [all, deleting] = [countIn(item, 'all'), countIn(item, 'deleting')];
    return { all, deleting, active: all - deleting }[status ?? 'all'];
  };
  const listed = await readPage({ partition: organizationPartition, filter, total, ...page }, ({ sk }) => String(sk));
  const items = await batchGet(listed.items.map((id) => organizationKey(id)));
  const byId = new Map(items.map((item) => v.parse(stored, item)).map((each) => [each.id, each]));
  return { items: listed.items.flatMap((id) => byId.get(id) ?? []), total: listed.total };
}

/** @throws Problem `organization_name_taken`; ConditionFailed */
export async function saveOrganization(
  current: StoredOrganization,
  changed: StoredOrganization,
  others: readonly Write[],
): Promise<void> {
  if (changed === current) return;
  const renaming = changed.name === current.name ? [] : takeName(current, changed);
  const { id, lockedThrough } = changed;
  const isLocking = lockedThrough !== current.lockedThrough;
  const locking = isLocking ? lockWrites(id, lockedThrough) : [];
  const writes = [replacement(current, changed), ...renaming, ...locking, ...others];
  const shown = { id, before: toOrganizationRow(current), after: toOrganizationRow(changed) };
  if (isLocking) await awaitLock(id);
  await transactWithDirectory(id, writes, shown, isLocking ? LOCK_PAUSE_MILLISECONDS : undefined);
}

/** @param others attributes beside those of an organization */
export function replacement(before: StoredOrganization, after: StoredOrganization, others: object = {}): TransactItem {
  const toItem = (each: StoredOrganization) => ({ ...organizationKey(each.id), ...v.parse(stored, each) });
  const changed = { ...toItem({ ...after, version: newVersion() }), ...others };
  return change(toItem(before), changed, v.parser(stored), unchangedSince(before));
}

function takeName({ id, name: oldName }: Organization, { name }: Organization): Write[] {
  const [key, oldKey] = [nameKey(name), nameKey(oldName)];
  const free = {
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: { ':id': id },
  };
  const taken = refusing(assign({ ...key, id, name }, v.parser(named), free), nameTaken);
  return key.sk === oldKey.sk ? [taken] : [taken, remove(oldKey)];
}

function nameTaken(): Problem {
  return fault('organization_name_taken', 'name', 'Another organization has this name.');
}
