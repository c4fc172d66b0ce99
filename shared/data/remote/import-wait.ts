import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportJob } from '#shared/domain/remote/import-job.ts';
import { getImport } from './imports.ts';

/** Small imports end within moments. For a large one, it does not matter when exactly its end is seen. */
const FIRST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 250;
const PAUSE_GROWTH = 1.3;

/** Waits for an import to end, as long as `mayWait` allows. @returns the job as it is then */
export async function importEnded({ organizationId, id }: ImportJob, mayWait: () => boolean): Promise<ImportJob> {
  for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MILLISECONDS)) {
    const job = await getImport(organizationId, id);
    if (job.status !== 'processing' || !mayWait()) return job;
    await sleep(pause);
  }
}
