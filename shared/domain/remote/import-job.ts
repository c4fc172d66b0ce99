import { Problem } from '#shared/domain/problems.ts';
import { plusMinutes } from '#shared/domain/tracker/work-time.ts';

export const IMPORT_STATUSES = ['processing', 'imported', 'failed', 'undone'] as const;

type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const IMPORT_TRIGGERS = ['confirm', 'schedule', 'rows'] as const;

export interface ImportJob {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  /** By which the user began it; null for one who has signed in, and for a schedule. */
  readonly keyId: string | null;
  readonly accountId: string;
  /** The name of the source of rows that no provider has shown; null: the provider. */
  readonly origin: string | null;
  readonly trigger: (typeof IMPORT_TRIGGERS)[number];
  /** Whether a row that changed at the provider updates its entry; otherwise it is skipped. */
  readonly updateChanged: boolean;
  readonly status: ImportStatus;
  readonly totalCount: number;
  readonly invalidCount: number;
  readonly importedCount: number;
  readonly updatedCount: number;
  /** Rows without effect that are not locked: twice in the request, imported before, declined, or held back. */
  readonly dedupedCount: number;
  /** How many of the skipped rows would change an entry that an invoice has. */
  readonly heldBackCount: number;
  /** Rows that would make or change an entry in the closed period. */
  readonly lockedCount: number;
  /** A unit is the rows of one transaction. */
  readonly unitCount: number;
  readonly doneUnitCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
}

const OVERDUE_MINUTES = {
  /** A function that sends rows lives for a minute at most. */
  sending: 10,
  /** The queue takes less for five deliveries of several messages of an organization. */
  sent: 24 * 60,
};

/** When an open job counts as abandoned: its sender died, or a part of it is lost. */
export function overdueAt({ createdAt }: ImportJob, reached: keyof typeof OVERDUE_MINUTES): string {
  return plusMinutes(createdAt, OVERDUE_MINUTES[reached]);
}

/** @param dedupedCount rows that occur twice in the request itself */
export function newImport(
  fields: Pick<
    ImportJob,
    | 'id'
    | 'organizationId'
    | 'userId'
    | 'keyId'
    | 'accountId'
    | 'origin'
    | 'trigger'
    | 'updateChanged'
    | 'totalCount'
    | 'unitCount'
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
    heldBackCount: 0,
    lockedCount: 0,
    doneUnitCount: 0,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    completedAt: null,
  };
}

export function refusedImport(job: ImportJob, invalidCount: number): ImportJob {
  return { ...job, status: 'failed', invalidCount, completedAt: job.createdAt };
}

/** Rows that did nothing and broke no rule. Finally imported + updated + skipped + invalid = total. */
export function skippedCountOf(job: ImportJob): number {
  const { status, totalCount, importedCount, updatedCount, invalidCount, dedupedCount, lockedCount } = job;
  return status === 'processing'
    ? dedupedCount + lockedCount
    : totalCount - importedCount - updatedCount - invalidCount;
}

export function presentImport(job: ImportJob) {
  return {
    ...job,
    rowCountTotal: job.totalCount,
    rowCountValid: job.totalCount - job.invalidCount,
    rowCountInvalid: job.invalidCount,
    rowCountDeduped: job.dedupedCount,
    skippedCount: skippedCountOf(job),
    startedAt: job.createdAt,
  };
}

export function rowsToUndo({ status, totalCount }: ImportJob): number {
  return status === 'imported' || status === 'failed' ? totalCount : 0;
}

export function assertUndoable({ status }: ImportJob): void {
  if (status === 'processing') throw notUndoable('The import has not ended yet.');
  if (status === 'undone') throw notUndoable('The import was undone before.');
}

function notUndoable(detail: string): Problem {
  return new Problem('import_not_undoable', { detail });
}

/** For the caller who waits. An import that was undone later still counts as imported. */
export function presentProgress(job: ImportJob) {
  const isDone = job.status !== 'processing';
  const { importedCount, updatedCount, lockedCount } = job;
  const counts = { importedCount, updatedCount, skippedCount: skippedCountOf(job), lockedCount };
  const status = isDone ? ('imported' as const) : ('processing' as const);
  return { isDone, data: { importJobId: job.id, status, ...counts } };
}

export function assertNotFailed({ id, status, importedCount, updatedCount, totalCount }: ImportJob): void {
  if (status !== 'failed') return;
  const detail = `The import ${id} has ended with ${importedCount + updatedCount} of ${totalCount} rows. Sending the rows again, under another Idempotency-Key, imports the rest.`;
  throw new Problem('import_failed', { detail });
}
