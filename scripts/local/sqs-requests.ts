import * as v from 'valibot';
import type { QueuePlan } from './plans/queues.ts';
import { ServiceError } from './service-error.ts';

/** What SQS takes: the members of each operation, and the rules for messages and batches. */

export const MAXIMUM_BYTES = 1_048_576;
const MAXIMUM_BATCH = 10;
/** SQS takes the characters of XML 1.0. These are the others. */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

export const messageAttributes = v.record(
  v.string(),
  v.object({ DataType: v.string(), StringValue: v.optional(v.string()), BinaryValue: v.optional(v.string()) }),
);

const seconds = (maximum: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maximum));
const visibility = seconds(43_200);

const newMessage = {
  MessageBody: v.pipe(v.string(), v.nonEmpty()),
  MessageAttributes: v.optional(messageAttributes, {}),
  DelaySeconds: v.optional(seconds(900)),
  MessageGroupId: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(128))),
  MessageDeduplicationId: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(128))),
};

const batchOf = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object({ Entries: v.array(v.object({ Id: v.string(), ...entries })) });

export const requests = {
  SendMessage: v.object(newMessage),
  SendMessageBatch: batchOf(newMessage),
  ReceiveMessage: v.object({
    MaxNumberOfMessages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAXIMUM_BATCH)), 1),
    VisibilityTimeout: v.optional(visibility),
    WaitTimeSeconds: v.optional(seconds(20)),
    AttributeNames: v.optional(v.array(v.string()), []),
    MessageSystemAttributeNames: v.optional(v.array(v.string()), []),
    MessageAttributeNames: v.optional(v.array(v.string()), []),
  }),
  DeleteMessage: v.object({ ReceiptHandle: v.string() }),
  DeleteMessageBatch: batchOf({ ReceiptHandle: v.string() }),
  ChangeMessageVisibility: v.object({ ReceiptHandle: v.string(), VisibilityTimeout: visibility }),
  ChangeMessageVisibilityBatch: batchOf({ ReceiptHandle: v.string(), VisibilityTimeout: visibility }),
};

export type NewMessage = v.InferOutput<typeof requests.SendMessage>;
export type Receive = v.InferOutput<typeof requests.ReceiveMessage>;

export function parse<const Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
  throw new ServiceError('InvalidParameterValue', complaints);
}

export function checkContent(sent: NewMessage): void {
  if (bytesOf(sent) > MAXIMUM_BYTES) {
    throw new ServiceError(
      'InvalidParameterValue',
      'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
    );
  }
  if (FORBIDDEN_CHARACTERS.test(sent.MessageBody)) {
    throw new ServiceError(
      'com.amazonaws.sqs#InvalidMessageContents',
      'The body has characters that XML 1.0 does not allow.',
    );
  }
}

export function checkFifo(
  { attributes }: QueuePlan,
  { MessageGroupId, MessageDeduplicationId, DelaySeconds }: NewMessage,
): void {
  if (MessageGroupId === undefined) {
    throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageGroupId.');
  }
  if (MessageDeduplicationId === undefined && attributes.ContentBasedDeduplication !== 'true') {
    throw new ServiceError(
      'InvalidParameterValue',
      'The message needs a MessageDeduplicationId: the queue makes none from the content.',
    );
  }
  if (DelaySeconds)
    throw new ServiceError('InvalidParameterValue', 'A message of a FIFO queue has no delay of its own.');
}

/** Handles the entries of a batch one by one. If one fails, the others do not. */
export function eachOf<Entry extends { readonly Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => object,
): object {
  if (entries.length === 0) throw new ServiceError('com.amazonaws.sqs#EmptyBatchRequest', 'The batch is empty.');
  if (entries.length > MAXIMUM_BATCH) {
    throw new ServiceError('com.amazonaws.sqs#TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new ServiceError('com.amazonaws.sqs#BatchEntryIdsNotDistinct', 'Two entries of the batch have the same id.');
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.type, Message: error.message });
    }
  }
  return { Successful, Failed };
}

export function bytesOf({ MessageBody, MessageAttributes }: NewMessage): number {
  const attributes = Object.entries(MessageAttributes).map(
    ([name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      Buffer.byteLength(name + DataType + StringValue) + Buffer.byteLength(BinaryValue, 'base64'),
  );
  return attributes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody));
}
