import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { logger } from '#shared/runtime/logger.ts';
import { publish } from './publish.ts';

/** The queue `unlinks`: which deleted project or client still has links to be removed. */

const { QUEUE_URL_UNLINKS } = parseEnv({ QUEUE_URL_UNLINKS: setting });

export const unlinkMessage = v.object({
  kind: v.picklist(['project', 'client']),
  organizationId: v.string(),
  id: v.string(),
});

export type UnlinkMessage = v.InferOutput<typeof unlinkMessage>;

/** The deduplication id is random: asking twice does no harm, and a request that SQS takes for a repetition would be lost. */
export async function sendUnlink({ kind, organizationId, id }: UnlinkMessage): Promise<void> {
  await publish({
    queueUrl: QUEUE_URL_UNLINKS,
    message: { kind, organizationId, id },
    group: organizationId,
    deduplicationId: `${kind}#${id}#${randomUUID()}`,
  });
}

/**
 * Asks for the unlinking of what was just deleted. The deletion holds, whether the queue takes the message or not: when it does not, the
 * schedule `sweep-unlinks` asks again, so that the caller need not hear of it.
 */
export async function requestUnlink(message: UnlinkMessage): Promise<void> {
  try {
    await sendUnlink(message);
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    logger.warn('unlink is left to the sweep', { ...message, error: cause });
  }
}
