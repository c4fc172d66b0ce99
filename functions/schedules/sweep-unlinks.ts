import { listUnlinkings } from '#shared/data/unlinking.ts';
import { sendUnlink } from '#shared/queue/unlinks.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';

const PATIENCE_MILLISECONDS = 5 * 60_000;

/**
 * Every five minutes: asks again for each unlinking that should have ended by now, because the request that began it died before it had
 * asked, or because the worker has failed too often. Where the worker is only busy, it takes the second message for done.
 */
export const handler = onSchedule('sweep-unlinks', async (now) => {
  const overdue = await listUnlinkings(new Date(now.getTime() - PATIENCE_MILLISECONDS));
  for (const unlinking of overdue) await sendUnlink(unlinking);
});
