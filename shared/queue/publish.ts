import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Sending takes at most 7 s with all attempts, so that a request survives a queue that does not answer. */
const client = new SQSClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true },
});

interface Publication {
  readonly queueUrl: string;
  /** Goes out as JSON. */
  readonly message: unknown;
  /** Messages of a group are handled one after the other; groups do not wait for each other. */
  readonly group: string;
  /** SQS drops a message whose deduplication id it has seen within five minutes. */
  readonly deduplicationId: string;
}

export async function publish({ queueUrl, message, group, deduplicationId }: Publication): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(message),
      MessageGroupId: group,
      MessageDeduplicationId: deduplicationId,
    }),
  );
}
