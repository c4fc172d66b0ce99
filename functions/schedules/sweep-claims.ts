import { abandonClaiming, listClaimings } from '#shared/data/claiming.ts';
import { listReleasings } from '#shared/data/release.ts';
import { sendRelease } from '#shared/queue/releases.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';

const PATIENCE_MILLISECONDS = 5 * 60_000;

/**
 * Every five minutes: gives up the claims of requests that died on the way to their invoice, and asks again for each release that should have ended
 * by now.
 */
export const handler = onSchedule('sweep-claims', async (now) => {
  for (const claiming of await listClaimings(now)) {
    if (await abandonClaiming(claiming, now)) await sendRelease(claiming);
  }
  const overdue = await listReleasings(new Date(now.getTime() - PATIENCE_MILLISECONDS));
  for (const releasing of overdue) await sendRelease(releasing);
});
