import * as v from 'valibot';
import { importJobKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { update } from '#shared/data/table/writes.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';
import { importStatus } from './imports.ts';

/** Fails the transaction when the job cannot be undone, or no longer. */
export function removalUpdate({ organizationId, id }: ImportJob, removed: number): TransactItem {
  return update(importJobKey(organizationId, id), {
    UpdateExpression: 'ADD removedCount :removed',
    ...UNDOABLE,
    ExpressionAttributeValues: { ...UNDOABLE.ExpressionAttributeValues, ':removed': removed },
  });
}

const UNDOABLE = {
  ConditionExpression: '#status IN (:imported, :failed)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':imported': 'imported', ':failed': 'failed' },
};

const undoing = v.object({ status: importStatus, removedCount: v.optional(v.number(), 0) });

export async function readUndoing({ organizationId, id }: ImportJob): Promise<v.InferOutput<typeof undoing>> {
  return v.parse(undoing, await readItem(importJobKey(organizationId, id)));
}

/** Fails if `removedCount` has moved since it was read. One item, but only `transact` waits for other undoings. */
export function undoneUpdate({ organizationId, id }: ImportJob, removedCount: number, now: Date): TransactItem {
  return update(importJobKey(organizationId, id), {
    UpdateExpression: 'SET #status = :undone, updatedAt = :now, removedCount = :removed',
    ConditionExpression: `${UNDOABLE.ConditionExpression} AND ${removedCount === 0 ? 'attribute_not_exists(removedCount)' : 'removedCount = :removed'}`,
    ExpressionAttributeNames: UNDOABLE.ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ...UNDOABLE.ExpressionAttributeValues,
      ':undone': 'undone',
      ':now': now.toISOString(),
      ':removed': removedCount,
    },
  });
}
