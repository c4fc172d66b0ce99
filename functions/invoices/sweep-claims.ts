import { attemptAll } from '#shared/data/dynamo/parallel.ts';
import { listReleasings } from '#shared/data/invoices/release.ts';
import { abandonClaiming, type Claiming, listClaimings } from '#shared/data/tracker/claiming.ts';
import { sendRelease } from '#shared/queue/releases.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';

const PATIENCE_MILLISECONDS = 5 * 60_000;

/**
 * Every five minutes: gives up the claims of requests that died before their invoice was written. Asks again for each
 * release that should have ended by now.
 */
export const handler = onSchedule('sweep-claims', async (now) => {
  const patienceEnd = new Date(now.getTime() - PATIENCE_MILLISECONDS);
  const [dead, overdue] = await Promise.all([listClaimings(now), listReleasings(patienceEnd)]);
  await attemptAll(
    [...dead.map((claiming) => () => abandon(claiming, now)), ...overdue.map((each) => () => sendRelease(each))],
    (step) => step(),
  );
});

async function abandon(claiming: Claiming, now: Date): Promise<void> {
  if (await abandonClaiming(claiming, now)) await sendRelease(claiming);
}
