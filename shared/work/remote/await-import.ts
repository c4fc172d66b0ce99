import { setTimeout as sleep } from 'node:timers/promises';
import { getImport } from '#shared/data/remote/imports.ts';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';

/** Small imports end within moments. For a large one, it does not matter when exactly its end is seen. */
const FIRST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 250;
const PAUSE_GROWTH = 1.3;

/** A failed look only ends the wait: a failure would tell the caller that nothing was done, but the import goes on. */
export async function awaitImport(started: ImportJob, mayWait: () => boolean): Promise<ImportJob> {
  let job = started;
  try {
    for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MILLISECONDS)) {
      job = await getImport(started.organizationId, started.id);
      if (job.status !== 'processing' || !mayWait()) return job;
      await sleep(pause);
    }
  } catch (error) {
    logger.warn('import is not looked at', { importJobId: job.id, error: asError(error) });
    return job;
  }
}
