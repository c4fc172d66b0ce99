import { v7 as uuidV7 } from 'uuid';
import { readBreaker } from '#shared/data/remote/breaker.ts';
import { type DueConnection, leaseConnections, listDueConnections } from '#shared/data/remote/connection.ts';
import { attemptAll, batchesOf } from '#shared/data/table/parallel.ts';
import { permittedSyncs } from '#shared/domain/remote/breaker.ts';
import { MAX_BATCH } from '#shared/queue/publish.ts';
import { sendSyncs } from '#shared/queue/syncs.ts';
import { logger } from '#shared/runtime/logger.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';

/**
 * Every five minutes: queues the remote connections that are due. Each is put off first, so that two runs queue it
 * once. While the provider fails, all are left as they are, but for a few that try it.
 */
export const handler = onSchedule('sync-scheduler', async (now) => {
  const permitted = permittedSyncs(await readBreaker(), now);
  const due = (await listDueConnections(now)).slice(0, permitted);
  let [leased, sent] = [0, 0];
  const queue = async (batch: readonly DueConnection[]) => {
    const taken = await leaseConnections(batch, now);
    leased += taken.length;
    sent += await sendSyncs(
      taken.map(({ organizationId }) => ({ organizationId, jobId: uuidV7(), at: now.toISOString() })),
    );
  };
  // The connections of a batch are put off in parallel.
  await attemptAll(batchesOf(due, MAX_BATCH), queue, 1).finally(() =>
    logger.info('syncs', { due: due.length, leased, sent }),
  );
  if (sent < leased) throw new Error(`${leased - sent} syncs could not be queued.`);
});
