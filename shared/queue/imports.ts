import type { ImportUnit } from '#shared/domain/remote/import-units.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { publish } from './publish.ts';

const { QUEUE_URL_IMPORTS } = parseEnv({ QUEUE_URL_IMPORTS: setting });

/** The deduplication id names job and first unit, so a repeated send adds nothing. */
export async function sendUnits(organizationId: string, jobId: string, units: readonly ImportUnit[]): Promise<void> {
  await publish({
    queueUrl: QUEUE_URL_IMPORTS,
    message: { organizationId, jobId, units },
    group: organizationId,
    deduplicationId: `${jobId}#${units[0]?.number}`,
  });
}
