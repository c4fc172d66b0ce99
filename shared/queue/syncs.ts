import { parseEnv, setting } from '#shared/runtime/env.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { publishBatch } from './publish.ts';
import type { SyncMessage } from './sync-message.ts';

const { QUEUE_URL_SYNCS } = parseEnv({ QUEUE_URL_SYNCS: setting });

/** A message that cannot be sent is dropped: its connection is due again later. @returns how many were sent */
export async function sendSyncs(messages: readonly SyncMessage[]): Promise<number> {
  if (messages.length === 0) return 0;
  try {
    const refused = await publishBatch(QUEUE_URL_SYNCS, messages.map(publicationOf));
    if (refused.length > 0) logger.warn('syncs are left to the next run', { count: refused.length });
    return messages.length - refused.length;
  } catch (error) {
    const cause = asError(error);
    logger.warn('syncs are left to the next run', { count: messages.length, error: cause });
    return 0;
  }
}

function publicationOf(message: SyncMessage) {
  return { message, group: message.organizationId, deduplicationId: message.jobId };
}
