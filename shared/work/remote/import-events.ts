import { record } from '#shared/data/events/outbox.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { actorOf, type Happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';

/** Who began an import has also done what a worker goes on with. */
export function recordOf(job: ImportJob, now: Date, ...happenings: readonly Happening[]): Write {
  return record(job.organizationId, job.trigger === 'schedule' ? SCHEDULE : actorOf(job), now, happenings);
}
