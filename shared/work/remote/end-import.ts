import { syncOutcomeUpdate } from '#shared/data/remote/connection.ts';
import { closeImport, findImport } from '#shared/data/remote/imports.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';

type JobId = Pick<ImportJob, 'organizationId' | 'id'>;

export async function endIfComplete({ organizationId, id }: JobId): Promise<void> {
  const job = await findImport(organizationId, id);
  if (job && isComplete(job)) await end(job, 'imported', new Date());
}

/** The job ends as failed, unless only its closing was left. */
export async function giveUpImport({ organizationId, id }: JobId, now: Date): Promise<void> {
  const job = await findImport(organizationId, id);
  if (job) await end(job, isComplete(job) ? 'imported' : 'failed', now);
}

function isComplete({ doneUnitCount, unitCount }: ImportJob): boolean {
  return doneUnitCount === unitCount;
}

/** The end of a scheduled import also ends the connection's sync, if the connection still waits for the job. */
async function end(job: ImportJob, status: 'imported' | 'failed', now: Date): Promise<void> {
  if (job.trigger !== 'schedule') return closeImport(job, status, now);
  const problem = status === 'imported' ? null : 'import_failed';
  const outcome = { entriesImported: job.importedCount, problem } as const;
  try {
    await closeImport(job, status, now, [syncOutcomeUpdate(job.organizationId, job.id, outcome)]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    await closeImport(job, status, now);
  }
}
