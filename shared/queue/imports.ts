import type { ImportUnit } from '#shared/domain/remote/import-plan.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { publish } from './publish.ts';

const { QUEUE_URL_IMPORTS } = parseEnv({ QUEUE_URL_IMPORTS: setting });

/** Sends one message. Its deduplication id says what it holds, so that a send that is repeated adds nothing. */
export async function sendUnits(organizationId: string, jobId: string, units: readonly ImportUnit[]): Promise<void> {
  await publish({
    queueUrl: QUEUE_URL_IMPORTS,
    message: { organizationId, jobId, units },
    group: organizationId,
    deduplicationId: `${jobId}#${units[0]?.number}`,
  });
}
