import * as v from 'valibot';
import {
  countKey,
  dueImportPartitions,
  dueObjectOf,
  importDueKey,
  importJobKey,
  importJobPartition,
} from '#shared/data/layout/keys.ts';
import { equalling, readCollection } from '#shared/data/table/collection.ts';
import { readCount } from '#shared/data/table/counts.ts';
import { isDue, readDue } from '#shared/data/table/due.ts';
import { readItem, requireItem, tryUpdate } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { texts } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { increase } from '#shared/data/table/sums.ts';
import { ConditionFailed, type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { IS_ABSENT, put, update } from '#shared/data/table/writes.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { IMPORT_STATUSES, IMPORT_TRIGGERS, type ImportJob, overdueAt } from '#shared/domain/remote/import-job.ts';

/**
 * Open jobs are in the index `byDue`, where the sweep finds what a crash has left. Each unit adds to the counters in
 * its own transaction, on the condition that the job is open: the counts are exact, and a closed job stays as counted.
 */

/** A status that only a newer version knows reads as `undone`, from which nothing goes on. */
export const importStatus = known(IMPORT_STATUSES, 'undone');

const stored = v.object({
  ...texts('id', 'organizationId', 'userId', 'accountId', 'createdAt', 'updatedAt'),
  keyId: v.optional(v.nullable(v.string()), null),
  origin: v.optional(v.nullable(v.string()), null),
  trigger: known(IMPORT_TRIGGERS, 'confirm'),
  updateChanged: v.boolean(),
  status: importStatus,
  totalCount: v.number(),
  invalidCount: v.number(),
  importedCount: v.number(),
  updatedCount: v.optional(v.number(), 0),
  dedupedCount: v.number(),
  heldBackCount: v.number(),
  lockedCount: v.optional(v.number(), 0),
  unitCount: v.number(),
  doneUnitCount: v.number(),
  completedAt: v.nullable(v.string()),
});

const IS_OPEN = { ConditionExpression: '#status = :open', ExpressionAttributeNames: { '#status': 'status' } };

const parseJob = v.parser(stored);

/** @throws Problem `not_found` */
export async function getImport(organizationId: string, id: string): Promise<ImportJob> {
  return parseJob(await requireItem(importJobKey(organizationId, id)));
}

/** @returns undefined once its organization is gone */
export async function findImport(organizationId: string, id: string): Promise<ImportJob | undefined> {
  const item = await readItem(importJobKey(organizationId, id));
  return item && parseJob(item);
}

export async function insertImport(job: ImportJob, others: readonly Write[]): Promise<void> {
  const { organizationId, id } = job;
  const due = job.status === 'processing' && importDueKey(organizationId, id, overdueAt(job, 'sending'));
  await transact([
    put({ ...importJobKey(organizationId, id), ...job, ...due }, parseJob, IS_ABSENT),
    increase(countKey(organizationId, 'IMPORT_JOB'), { all: 1 }),
    ...others,
  ]);
}

export function listImports(organizationId: string, page: Slice): Promise<Listed<ImportJob>> {
  const total = () => readCount(countKey(organizationId, 'IMPORT_JOB'));
  return readPage({ partition: importJobPartition(organizationId), ...page, total }, parseJob);
}

export interface UnitCounts {
  readonly imported: number;
  readonly updated: number;
  readonly deduped: number;
  readonly heldBack: number;
  readonly locked: number;
}

/** Fails the transaction of a unit when the job has been closed. */
export function countersUpdate(
  job: ImportJob,
  { imported, updated, deduped, heldBack, locked }: UnitCounts,
  now: Date,
): TransactItem {
  return update(importJobKey(job.organizationId, job.id), {
    UpdateExpression:
      'SET updatedAt = :now ADD importedCount :imported, updatedCount :updated, dedupedCount :deduped, heldBackCount :heldBack, lockedCount :locked, doneUnitCount :one',
    ...IS_OPEN,
    ExpressionAttributeValues: {
      ':now': now.toISOString(),
      ':imported': imported,
      ':updated': updated,
      ':deduped': deduped,
      ':heldBack': heldBack,
      ':locked': locked,
      ':one': 1,
      ':open': 'processing',
    },
  });
}

/** Does nothing if the job is closed already. @throws ConditionFailed for one of the others */
export async function closeImport(
  job: ImportJob,
  status: 'imported' | 'failed',
  now: Date,
  others: readonly Write[],
): Promise<void> {
  const { organizationId, id } = job;
  try {
    await transact([update(importJobKey(organizationId, id), closing(status, now)), ...others]);
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.failedAt(0))) throw error;
  }
}

/** From then on no unit of the organization is written. */
export async function closeImports(organizationId: string, now: Date): Promise<void> {
  const filter = equalling({ status: 'processing' });
  const open = await readCollection({ partition: importJobPartition(organizationId), filter });
  for (const item of open) await closeImport(parseJob(item), 'failed', now, []);
}

function closing(status: string, now: Date) {
  return {
    UpdateExpression: 'SET #status = :status, completedAt = :now, updatedAt = :now REMOVE duePk, dueSk',
    ...IS_OPEN,
    ExpressionAttributeValues: { ':status': status, ':now': now.toISOString(), ':open': 'processing' },
  };
}

/** All units are in the queue, where the worker ends the job. The sweep waits longer for it. */
export async function noteSent(job: ImportJob): Promise<void> {
  const { organizationId, id } = job;
  const { dueSk } = importDueKey(organizationId, id, overdueAt(job, 'sent'));
  await tryUpdate(importJobKey(organizationId, id), {
    UpdateExpression: 'SET dueSk = :due',
    ...IS_OPEN,
    ExpressionAttributeValues: { ':due': dueSk, ':open': 'processing' },
  });
}

/** The index may be behind, so each job is read. */
export async function listOverdueImports(now: Date): Promise<ImportJob[]> {
  const due = await readDue(dueImportPartitions, now);
  const items = await mapInParallel(due.map(dueObjectOf), ({ organizationId, id }) =>
    readItem(importJobKey(organizationId, id)),
  );
  return items.filter((item) => isDue(item?.dueSk, now)).map(parseJob);
}
