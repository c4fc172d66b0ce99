import { consume } from '#shared/queue/consume.ts';
import { importMessage } from '#shared/queue/import-message.ts';
import { giveUpImport } from '#shared/work/remote/end-import.ts';

/**
 * Dead letters of the queue `imports`: closes the job of rows that could not be imported. What was imported until now
 * stays.
 */
export const handler = consume(importMessage, async ({ organizationId, jobId }) => {
  await giveUpImport({ organizationId, id: jobId }, new Date());
});
