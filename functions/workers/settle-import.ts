import { endImport } from '#shared/data/import-end.ts';
import { getImport } from '#shared/data/imports.ts';
import { consume } from '#shared/queue/consume.ts';
import { importMessage } from '#shared/queue/import-message.ts';

/** Dead letters of the queue `imports`: closes the job of rows that could not be imported, with what has been imported until now. */
export const handler = consume(importMessage, async ({ organizationId, jobId }) => {
  await endImport(await getImport(organizationId, jobId), 'failed', new Date());
});
