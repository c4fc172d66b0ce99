import { listOverdueImports } from '#shared/data/remote/imports.ts';
import { attemptAll } from '#shared/data/table/parallel.ts';
import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';
import { onSchedule } from '#shared/runtime/schedule.ts';
import { telling } from '#shared/work/events/telling.ts';
import { giveUpImport } from '#shared/work/remote/end-import.ts';

/** Every five minutes: closes imports that nobody goes on with. Each is a fault, and raises the alarm. */
export const handler = onSchedule('sweep-imports', async (now) => {
  const stuck = await listOverdueImports(now);
  metrics.count('StuckImportJobs', stuck.length);
  for (const { organizationId, id } of stuck) logger.warn('import given up', { organizationId, importJobId: id });
  await attemptAll(
    stuck,
    telling((job) => giveUpImport(job, now)),
  );
});
