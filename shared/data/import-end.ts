import type { ImportJob } from '#shared/domain/import-job.ts';
import { closeImport, getImport } from './imports.ts';
import { syncOutcomeUpdate } from './remote-connection.ts';
import { ConditionFailed } from './transaction.ts';

/** Closes the job when all its units are done. */
export async function endIfComplete({ organizationId, id }: ImportJob, now: Date): Promise<void> {
  const job = await getImport(organizationId, id);
  if (job.doneUnitCount === job.unitCount) await endImport(job, 'imported', now);
}

/**
 * Closes the job if it is open. The end of a scheduled import is also the end of the connection's sync; where the connection does not wait for
 * it any more, the job ends alone.
 */
export async function endImport(job: ImportJob, status: 'imported' | 'failed', now: Date): Promise<void> {
  if (job.trigger !== 'schedule') return closeImport(job, status, now);
  const outcome = {
    status: status === 'imported' ? ('succeeded' as const) : ('failed' as const),
    entriesImported: job.importedCount,
  };
  try {
    await closeImport(job, status, now, [syncOutcomeUpdate(job.organizationId, job.id, outcome)]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    await closeImport(job, status, now);
  }
}
