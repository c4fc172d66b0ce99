import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { messageText } from '#shared/domain/message-text.ts';
import { AwsHttp } from '#shared/runtime/aws-http.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';

const ATTEMPT_MILLISECONDS = 2_500;

/** Sending takes at most 7 s with all attempts, so a request survives a queue that does not answer. */
const client = new SQSClient({
  maxAttempts: 2,
  requestHandler: new AwsHttp(ATTEMPT_MILLISECONDS),
  // The URL only names the queue; the client decides where to send.
  useQueueUrlAsEndpoint: false,
});

interface Publication {
  readonly message: unknown;
  /** Messages of a group are handled in order; groups do not wait for each other. */
  readonly group: string;
  /** SQS drops an id that it has seen within five minutes. */
  readonly deduplicationId: string;
}

export async function publish({ queueUrl, ...publication }: Publication & { queueUrl: string }): Promise<void> {
  await client.send(new SendMessageCommand({ QueueUrl: queueUrl, ...entryOf(publication) }));
}

export const MAX_BATCH = 10;

/**
 * Drops what cannot be sent: a schedule sends it later.
 *
 * @param publications 1 to {@link MAX_BATCH}
 * @param what they are, for the log
 * @returns how many were sent
 */
export async function publishBatch(
  queueUrl: string,
  publications: readonly Publication[],
  what: string,
): Promise<number> {
  const Entries = publications.map((publication, position) => ({ Id: String(position), ...entryOf(publication) }));
  const left = (details: object) => logger.warn(`${what} are left to the next run`, { ...details });
  try {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    if (Failed.length > 0) left({ count: Failed.length });
    return publications.length - Failed.length;
  } catch (error) {
    left({ count: publications.length, error: asError(error) });
    return 0;
  }
}

function entryOf({ message, group, deduplicationId }: Publication) {
  return {
    MessageBody: messageText(message),
    MessageGroupId: group,
    MessageDeduplicationId: deduplicationId,
  };
}
