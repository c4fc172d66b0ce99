import { record } from '#shared/data/events/outbox.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { actorOf, type Happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';

/** All that an import does counts as done by who began it. */
export function recordOf(job: ImportJob, now: Date, ...happenings: readonly Happening[]): Write {
  return record(job.organizationId, job.trigger === 'schedule' ? SCHEDULE : actorOf(job), now, happenings);
}
