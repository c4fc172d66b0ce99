import { findImport } from '#shared/data/remote/imports.ts';
import { consume } from '#shared/queue/consume.ts';
import { importMessage } from '#shared/queue/import-message.ts';
import { telling } from '#shared/work/events/telling.ts';
import { endIfComplete } from '#shared/work/remote/end-import.ts';
import { importUnits } from '#shared/work/remote/import-units.ts';

/** Longer than the transaction of a unit takes, with all its retries. */
const UNIT_MILLISECONDS = 15_000;

/** Queue `imports`: imports the rows of a message, unless an earlier delivery did. The message that completes the job closes it. */
export const handler = consume(
  importMessage,
  telling(async ({ organizationId, jobId, units }, remainingMilliseconds) => {
    const job = await findImport(organizationId, jobId);
    if (job?.status !== 'processing') return;
    const outcome = await importUnits(job, units, () => remainingMilliseconds() > UNIT_MILLISECONDS);
    if (outcome === 'interrupted') throw new Error('The time of the function is up; the next delivery goes on.');
    if (outcome === 'done') await endIfComplete(job);
  }),
);
