import { parseEnv, setting } from '#shared/runtime/env.ts';
import type { DeletionMessage } from './deletion-message.ts';
import { publish } from './publish.ts';

const { QUEUE_URL_DELETIONS } = parseEnv({ QUEUE_URL_DELETIONS: setting });

export async function sendDeletion(message: DeletionMessage): Promise<void> {
  await publish({
    queueUrl: QUEUE_URL_DELETIONS,
    message,
    group: message.organizationId,
    deduplicationId: `${message.organizationId}#${message.dueAt}`,
  });
}
