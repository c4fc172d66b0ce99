import { listDueWebhooks } from '#shared/data/events/webhooks.ts';
import { wakeWebhooks } from '#shared/queue/webhooks.ts';
import { logger } from '#shared/runtime/logger.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';

/** To wake all more often would cost more than it finds. */
const FULL_RUN_MINUTES = 5;

/**
 * Every five minutes: wakes the webhooks that are active, wait for an attempt that is due, or have stood still for a day.
 * So what a lost message has left is delivered, and the feeds of all are read. Every minute in between: those alone that
 * have become due in the last five minutes. All that wait for another attempt are among them once it is due.
 */
export const handler = onSchedule('webhook-scheduler', async (now) => {
  const isFullRun = now.getUTCMinutes() % FULL_RUN_MINUTES === 0;
  const since = new Date(now.getTime() - FULL_RUN_MINUTES * 60_000);
  const due = await listDueWebhooks(now, isFullRun ? undefined : since);
  const from = now.getTime();
  const woken = await wakeWebhooks(
    due.map(({ organizationId, id: webhookId }) => ({ organizationId, webhookId, from })),
  );
  if (due.length > 0) logger.info('webhooks', { due: due.length, woken });
  if (woken < due.length) throw new Error(`${due.length - woken} webhooks could not be woken.`);
});
