import { listDueDeletions, moveDeletion } from '#shared/data/organization/deletions.ts';
import { attemptAll } from '#shared/data/table/parallel.ts';
import { leaseEnd } from '#shared/domain/organization/deletion.ts';
import { sendDeletion } from '#shared/queue/deletions.ts';
import { logger } from '#shared/runtime/logger.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';

/**
 * Every minute: queues the deletions of organizations that are due. Each is put off first, so that two runs queue it
 * once, and is due again if nobody ends it.
 */
export const handler = onSchedule('deletion-scheduler', async (now) => {
  const due = await listDueDeletions(now);
  const dueAt = leaseEnd(now);
  await attemptAll(due, async (deletion) => {
    const { organizationId } = deletion;
    if (await moveDeletion(deletion, dueAt)) await sendDeletion({ organizationId, dueAt });
  });
  if (due.length > 0) logger.info('deletions', { due: due.length });
});
