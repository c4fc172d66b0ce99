import { listOpenImports } from '#shared/data/remote/imports.ts';
import { attemptAll } from '#shared/data/table/parallel.ts';
import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';
import { giveUpImport } from '#shared/work/remote/end-import.ts';

/** A function that sends rows lives for a minute at most. */
const SENDING_MINUTES = 10;

/** The queue takes less for five deliveries of several messages of an organization. */
const IMPORTING_MINUTES = 24 * 60;

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

/**
 * Every five minutes: closes imports whose sender died before all rows were sent; workers end all others.
 * An import that is still open after a day is a fault, and raises the alarm.
 */
export const handler = onSchedule('sweep-imports', async (now) => {
  const open = await listOpenImports(minutesBefore(now, SENDING_MINUTES));
  const lastChance = minutesBefore(now, IMPORTING_MINUTES).toISOString();
  const stuck = open.filter(({ isSent, createdAt }) => !isSent || createdAt < lastChance);
  metrics.count('StuckImportJobs', stuck.length);
  for (const { organizationId, id } of stuck) logger.warn('import given up', { organizationId, importJobId: id });
  await attemptAll(stuck, (job) => giveUpImport(job, now));
});
