import { consume } from '#shared/queue/consume.ts';
import { importMessage } from '#shared/queue/import-message.ts';
import { telling } from '#shared/work/events/telling.ts';
import { giveUpImport } from '#shared/work/remote/end-import.ts';

/** Dead letters of the queue `imports`: closes the job, with the rows imported by then. */
export const handler = consume(
  importMessage,
  telling(async ({ organizationId, jobId }) => {
    await giveUpImport({ organizationId, id: jobId }, new Date());
  }),
);
