import * as v from 'valibot';
import type { Listed } from '#shared/contract/pagination.ts';
import {
  countKey,
  importJobKey,
  importJobPartition,
  openImportKey,
  openImportPartition,
} from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readCount } from '#shared/data/table/counts.ts';
import { readItem } from '#shared/data/table/item.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { increase } from '#shared/data/table/sums.ts';
import { ConditionFailed, type TransactItem, transact, type Write } from '#shared/data/table/transaction.ts';
import { EXISTS, IS_NEW, put, remove, update } from '#shared/data/table/writes.ts';
import { notFound } from '#shared/domain/problems.ts';
import { IMPORT_STATUSES, IMPORT_TRIGGERS, type ImportJob } from '#shared/domain/remote/import-job.ts';

/**
 * Import jobs in the table. A job is open from its start until everything is imported or somebody gives up. While open,
 * a job has its own record, which brings back what a crash has left. The transaction of every unit adds to the job's
 * counters, on the condition that the job is open. So the counts are exact, and a closed job stays as counted.
 */

const stored = v.object({
  id: v.string(),
  organizationId: v.string(),
  userId: v.string(),
  accountId: v.string(),
  trigger: v.picklist(IMPORT_TRIGGERS),
  updateChanged: v.boolean(),
  status: v.picklist(IMPORT_STATUSES),
  totalCount: v.number(),
  invalidCount: v.number(),
  importedCount: v.number(),
  updatedCount: v.optional(v.number(), 0),
  dedupedCount: v.number(),
  unitCount: v.number(),
  doneUnitCount: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  completedAt: v.nullable(v.string()),
});

function parseJob(item: unknown): ImportJob {
  return v.parse(stored, item);
}

/** @throws Problem `not_found` */
export async function getImport(organizationId: string, id: string): Promise<ImportJob> {
  const item = await readItem(importJobKey(organizationId, id));
  if (!item) throw notFound();
  return parseJob(item);
}

/** Stores a job that begins, or one that was refused. */
export async function insertImport(job: ImportJob, others: readonly Write[] = []): Promise<void> {
  const { organizationId, id, createdAt } = job;
  const Item = { ...importJobKey(organizationId, id), ...job };
  const record = { ...openImportKey(organizationId, id), organizationId, id, createdAt, isSent: false };
  await transact([
    put(Item, IS_NEW),
    increase(countKey(organizationId, 'IMPORT_JOB'), { all: 1 }),
    ...(job.status === 'processing' ? [put(record)] : []),
    ...others,
  ]);
}

export function listImports(
  organizationId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<Listed<ImportJob>> {
  const total = () => readCount(countKey(organizationId, 'IMPORT_JOB'));
  return readPage({ partition: importJobPartition(organizationId), ...page, total }, parseJob);
}

/** The numbers that a unit adds to the counters of its job. */
export interface UnitCounts {
  readonly imported: number;
  readonly updated: number;
  readonly deduped: number;
}

/** For the transaction of a unit. Its condition fails when the job has been closed. */
export function countersUpdate(job: ImportJob, { imported, updated, deduped }: UnitCounts, now: Date): TransactItem {
  return update(importJobKey(job.organizationId, job.id), {
    UpdateExpression:
      'SET updatedAt = :now ADD importedCount :imported, updatedCount :updated, dedupedCount :deduped, doneUnitCount :one',
    ConditionExpression: '#status = :open',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':now': now.toISOString(),
      ':imported': imported,
      ':updated': updated,
      ':deduped': deduped,
      ':one': 1,
      ':open': 'processing',
    },
  });
}

/**
 * Closes an open job. If the job is closed already, does nothing.
 *
 * @param others what is recorded together with the end of the job
 * @throws ConditionFailed when the condition of one of the others does not hold
 */
export async function closeImport(
  job: ImportJob,
  status: 'imported' | 'failed',
  now: Date,
  others: readonly TransactItem[] = [],
): Promise<void> {
  const { organizationId, id } = job;
  try {
    await transact([
      update(importJobKey(organizationId, id), closing(status, now)),
      remove(openImportKey(organizationId, id)),
      ...others,
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.failedAt(0))) throw error;
  }
}

function closing(status: string, now: Date) {
  return {
    UpdateExpression: 'SET #status = :status, completedAt = :now, updatedAt = :now',
    ConditionExpression: '#status = :open',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status, ':now': now.toISOString(), ':open': 'processing' },
  };
}

/** Notes that all units of the job are in the queue. From then on, the worker ends the job, and not the request. */
export async function noteSent({ organizationId, id }: ImportJob): Promise<void> {
  try {
    await transact([
      update(openImportKey(organizationId, id), {
        UpdateExpression: 'SET isSent = :true',
        ...EXISTS,
        ExpressionAttributeValues: { ':true': true },
      }),
    ]);
  } catch (error) {
    // A job that has ended meanwhile has no record to change.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

const openImport = v.object({
  organizationId: v.string(),
  id: v.string(),
  createdAt: v.string(),
  isSent: v.boolean(),
});

export type OpenImport = v.InferOutput<typeof openImport>;

/** The open jobs of all organizations that began before an instant. */
export async function listOpenImports(createdBefore: Date): Promise<OpenImport[]> {
  const items = await readCollection({
    partition: openImportPartition,
    filter: { expression: 'createdAt < :before', values: { ':before': createdBefore.toISOString() } },
  });
  return items.map((item) => v.parse(openImport, item));
}
