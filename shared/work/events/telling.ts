import { readToldWebhooks } from '#shared/data/events/told-webhooks.ts';
import { tellWebhooks } from '#shared/queue/tell-webhooks.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';

/** For what leaves events behind requests: the webhooks of the organization are told, as after a request. */
export function telling<Work extends { readonly organizationId: string }, Rest extends unknown[]>(
  run: (work: Work, ...rest: Rest) => Promise<void>,
): (work: Work, ...rest: Rest) => Promise<void> {
  return (work, ...rest) => run(work, ...rest).finally(() => tell(work));
}

/** What has been done stays done. */
async function tell({ organizationId }: { readonly organizationId: string }): Promise<void> {
  try {
    await tellWebhooks({ organizationId, webhooks: await readToldWebhooks(organizationId) });
  } catch (error) {
    logger.warn('webhooks are left to the next run', { organizationId, error: asError(error) });
  }
}
