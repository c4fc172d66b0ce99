import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { messageText } from '#shared/domain/message-text.ts';
import { AwsHttp } from '#shared/runtime/aws-http.ts';

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

/** @param publications at most {@link MAX_BATCH} @returns the positions of those that the queue refused */
export async function publishBatch(queueUrl: string, publications: readonly Publication[]): Promise<number[]> {
  const Entries = publications.map((publication, position) => ({ Id: String(position), ...entryOf(publication) }));
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  return Failed.map(({ Id }) => Number(Id));
}

function entryOf({ message, group, deduplicationId }: Publication) {
  return {
    MessageBody: messageText(message),
    MessageGroupId: group,
    MessageDeduplicationId: deduplicationId,
  };
}
