import { syncOutcomeUpdate } from '#shared/data/remote/connection.ts';
import { closeImport, findImport } from '#shared/data/remote/imports.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { happening } from '#shared/domain/events/happening.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';
import { recordOf } from './import-events.ts';

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
  const { organizationId, id } = job;
  const ended = happening(`import.${status}`, job);
  const closeAlone = () => closeImport(job, status, now, [recordOf(job, now, ended)]);
  if (job.trigger !== 'schedule') return closeAlone();
  const problem = status === 'imported' ? null : 'import_failed';
  const outcome = { entriesImported: job.importedCount, problem } as const;
  const syncEnded = problem === null ? [] : [happening('remote.sync_failed', { id: organizationId })];
  try {
    const others = [syncOutcomeUpdate(organizationId, id, outcome), recordOf(job, now, ended, ...syncEnded)];
    await closeImport(job, status, now, others);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    await closeAlone();
  }
}
