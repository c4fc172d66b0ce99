import {
  connectionKey,
  deletionDueKey,
  dueDeletions,
  dueOf,
  organizationCountKey,
  organizationKey,
  organizationListingKey,
} from '#shared/data/layout/keys.ts';
import { readDue } from '#shared/data/table/due.ts';
import { tryUpdate } from '#shared/data/table/item.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact, tryTransact } from '#shared/data/table/transaction.ts';
import { assign, EXISTS, remove, unread } from '#shared/data/table/writes.ts';
import { quietFrom } from '#shared/domain/organization/deletion.ts';
import { nameKey, replacement, type StoredOrganization } from './organizations.ts';

/**
 * A deletion begins with one transaction: from then on the organization has no name, no connection and no caller. It is
 * in the index `byDue`, where a schedule finds it as often as it takes until its own item is gone, the last of all.
 */

/** @throws ConditionFailed if the organization has changed since it was read */
export async function beginDeletion(
  before: StoredOrganization,
  deleting: StoredOrganization,
  now: Date,
): Promise<void> {
  if (deleting === before) return;
  const { id, name } = before;
  await transact([
    replacement(before, deleting, deletionDueKey(id, quietFrom(now))),
    assign({ ...organizationListingKey(id), status: deleting.status }, unread),
    increase(organizationCountKey, { deleting: 1 }),
    remove(nameKey(name)),
    remove(connectionKey(id)),
  ]);
}

export interface DueDeletion {
  readonly organizationId: string;
  readonly dueAt: string;
}

/** The index may be a moment behind. */
export async function listDueDeletions(now: Date): Promise<DueDeletion[]> {
  return (await readDue([dueDeletions], now)).map(dueOf);
}

/** @param dueAt as it was read, or moved to before @returns whether nobody else has moved it, or ended the deletion */
export function moveDeletion({ organizationId, dueAt }: DueDeletion, to: string): Promise<boolean> {
  return tryUpdate(organizationKey(organizationId), {
    UpdateExpression: 'SET dueSk = :to',
    // A write that was sent twice finds itself.
    ConditionExpression: 'dueSk IN (:from, :to)',
    ExpressionAttributeValues: {
      ':from': deletionDueKey(organizationId, dueAt).dueSk,
      ':to': deletionDueKey(organizationId, to).dueSk,
    },
  });
}

/** The end of a deletion, once nothing else is left. */
export async function endDeletion(organizationId: string): Promise<void> {
  await tryTransact([
    remove(organizationKey(organizationId), EXISTS),
    remove(organizationListingKey(organizationId)),
    increase(organizationCountKey, { all: -1, deleting: -1 }),
  ]);
}
