import { parseEnv, setting } from '#shared/runtime/env.ts';
import { publishBatch } from './publish.ts';
import type { SyncMessage } from './sync-message.ts';

const { QUEUE_URL_SYNCS } = parseEnv({ QUEUE_URL_SYNCS: setting });

/** A connection whose message is dropped is due again later. @returns how many were sent */
export async function sendSyncs(messages: readonly SyncMessage[]): Promise<number> {
  if (messages.length === 0) return 0;
  const publications = messages.map((message) => ({
    message,
    group: message.organizationId,
    deduplicationId: message.jobId,
  }));
  return publishBatch(QUEUE_URL_SYNCS, publications, 'syncs');
}
