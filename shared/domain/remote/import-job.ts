import { Problem } from '#shared/domain/problems.ts';

/** Import jobs: their states and counts. */

export const IMPORT_STATUSES = ['processing', 'imported', 'failed', 'undone'] as const;

type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const IMPORT_TRIGGERS = ['confirm', 'schedule'] as const;

export interface ImportJob {
  readonly id: string;
  readonly organizationId: string;
  /** The user who owns the entries that the job makes. */
  readonly userId: string;
  /** The account at the provider that the rows come from. */
  readonly accountId: string;
  readonly trigger: (typeof IMPORT_TRIGGERS)[number];
  /** Whether a row that changed at the provider since its import is imported again; otherwise it is skipped. */
  readonly updateChanged: boolean;
  readonly status: ImportStatus;
  readonly totalCount: number;
  /** Rows that break a rule. If there is one, nothing is imported. */
  readonly invalidCount: number;
  readonly importedCount: number;
  /** Rows that changed an existing entry. */
  readonly updatedCount: number;
  /** Rows that were imported before. */
  readonly dedupedCount: number;
  /** A unit is the rows that one transaction imports. */
  readonly unitCount: number;
  readonly doneUnitCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
}

/** An import at its start. @param dedupedCount rows that occur twice in the request itself */
export function newImport(
  fields: Pick<
    ImportJob,
    'id' | 'organizationId' | 'userId' | 'accountId' | 'trigger' | 'updateChanged' | 'totalCount' | 'unitCount'
  >,
  dedupedCount: number,
  now: Date,
): ImportJob {
  return {
    ...fields,
    status: 'processing',
    invalidCount: 0,
    importedCount: 0,
    updatedCount: 0,
    dedupedCount,
    doneUnitCount: 0,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    completedAt: null,
  };
}

/** An import that ends at once because rows or mappings break a rule. */
export function refusedImport(job: ImportJob, invalidCount: number): ImportJob {
  return { ...job, status: 'failed', invalidCount, dedupedCount: 0, completedAt: job.createdAt };
}

/** Rows that did nothing and broke no rule. Once the job has ended, imported + updated + skipped + invalid = total. */
export function skippedCountOf(job: ImportJob): number {
  const { status, totalCount, importedCount, updatedCount, invalidCount, dedupedCount } = job;
  return status === 'processing' ? dedupedCount : totalCount - importedCount - updatedCount - invalidCount;
}

/** A job as the history shows it, without its rows. */
export function presentImport(job: ImportJob) {
  return {
    id: job.id,
    status: job.status,
    trigger: job.trigger,
    rowCountTotal: job.totalCount,
    rowCountValid: job.totalCount - job.invalidCount,
    rowCountInvalid: job.invalidCount,
    rowCountDeduped: job.dedupedCount,
    importedCount: job.importedCount,
    updatedCount: job.updatedCount,
    skippedCount: skippedCountOf(job),
    startedAt: job.createdAt,
    completedAt: job.completedAt,
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
  };
}

/** The rows that an undoing goes through; none if it is refused. */
export function rowsToUndo({ status, totalCount }: ImportJob): number {
  return status === 'imported' || status === 'failed' ? totalCount : 0;
}

/** @throws Problem `import_not_undoable` if the job is still running or was undone already */
export function assertUndoable({ status }: ImportJob): void {
  if (status === 'processing') throw notUndoable('The import has not ended yet.');
  if (status === 'undone') throw notUndoable('The import was undone before.');
}

export function notUndoable(detail: string): Problem {
  return new Problem('import_not_undoable', { detail });
}

/** What a caller who waits for the job is told. An import that was undone later still counts as imported. */
export function presentProgress(job: ImportJob) {
  const isDone = job.status !== 'processing';
  const { importedCount, updatedCount } = job;
  const counts = { importedCount, updatedCount, skippedCount: skippedCountOf(job) };
  const status = isDone ? ('imported' as const) : ('processing' as const);
  return { isDone, data: { importJobId: job.id, status, ...counts } };
}

/** @throws Problem `import_failed` if the job failed */
export function assertNotFailed({ id, status, importedCount, updatedCount, totalCount }: ImportJob): void {
  if (status !== 'failed') return;
  const detail = `The import ${id} has ended with ${importedCount + updatedCount} of ${totalCount} rows. Sending the rows again, under another Idempotency-Key, imports the rest.`;
  throw new Problem('import_failed', { detail });
}
