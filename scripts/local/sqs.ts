import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import type { QueuePlan } from './blueprint.ts';
import { ServiceError } from './service-error.ts';
import { type ReceivedMessage, SqsStore } from './sqs-store.ts';

/**
 * SQS, as far as a service uses it: standard and FIFO queues, batches, long polling, delays, visibility,
 * deduplication, dead letters. We wrote our own because the available emulator lost messages when it was killed, and
 * when the messages' visibility changed.
 */

const MAXIMUM_BYTES = 1_048_576;
const MAXIMUM_BATCH = 10;
/** SQS takes the characters of XML 1.0. These are the others. */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const messageAttributes = v.record(
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

const requests = {
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

type NewMessage = v.InferOutput<typeof requests.SendMessage>;
type Receive = v.InferOutput<typeof requests.ReceiveMessage>;
type Operation = (queue: QueuePlan, body: unknown) => object | Promise<object>;

export class Sqs {
  readonly #queues: readonly QueuePlan[];
  readonly #store: SqsStore;
  readonly #waiting = new Map<string, Set<() => void>>();
  #isStopped = false;

  readonly #operations: Readonly<Record<string, Operation>> = {
    SendMessage: (queue, body) => this.#send(queue, parse(requests.SendMessage, body)),
    SendMessageBatch: (queue, body) => {
      const { Entries } = parse(requests.SendMessageBatch, body);
      const bytes = Entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
      if (bytes > MAXIMUM_BYTES) throw new ServiceError('BatchRequestTooLong', 'The batch is over 1 MiB.');
      return eachOf(Entries, (entry) => this.#send(queue, entry));
    },
    ReceiveMessage: (queue, body) => this.#receive(queue, parse(requests.ReceiveMessage, body)),
    DeleteMessage: (queue, body) => this.#delete(queue, parse(requests.DeleteMessage, body)),
    DeleteMessageBatch: (queue, body) =>
      eachOf(parse(requests.DeleteMessageBatch, body).Entries, (entry) => this.#delete(queue, entry)),
    ChangeMessageVisibility: (queue, body) =>
      this.#changeVisibility(queue, parse(requests.ChangeMessageVisibility, body)),
    ChangeMessageVisibilityBatch: (queue, body) =>
      eachOf(parse(requests.ChangeMessageVisibilityBatch, body).Entries, (entry) =>
        this.#changeVisibility(queue, entry),
      ),
    GetQueueAttributes: (queue) => ({ Attributes: this.#attributesOf(queue) }),
    GetQueueUrl: ({ url }) => ({ QueueUrl: url }),
    PurgeQueue: ({ name }) => {
      this.#store.purge(name);
      return {};
    },
  };

  constructor(dataDir: string, queues: readonly QueuePlan[]) {
    this.#queues = queues;
    this.#store = new SqsStore(join(dataDir, 'sqs.db'));
    // The process that received these messages has ended. In the cloud, their visibility timeout would bring
    // them back, minutes later.
    this.#store.releaseInFlight();
  }

  /** One call of the JSON protocol. */
  async call(operation: string, body: unknown): Promise<object> {
    const run = this.#operations[operation];
    if (!run) throw new ServiceError('UnknownOperationException', `The local cloud's SQS has no ${operation}.`);
    return run(this.#queueOf(body), body);
  }

  /** The ARN of the queue that a request is about. */
  arnOf(body: unknown): string {
    return this.#queueOf(body).arn;
  }

  stop(): void {
    this.#isStopped = true;
    for (const name of this.#waiting.keys()) this.#wake(name);
    this.#store.close();
  }

  #queueOf(body: unknown): QueuePlan {
    const { QueueUrl, QueueName } = parse(
      v.object({ QueueUrl: v.optional(v.string()), QueueName: v.optional(v.string()) }),
      body,
    );
    const name = QueueName ?? QueueUrl?.split('/').at(-1);
    const queue = this.#queues.find((candidate) => candidate.name === name);
    if (!queue) throw new ServiceError('com.amazonaws.sqs#QueueDoesNotExist', `There is no queue ${name}.`);
    return queue;
  }

  #send(queue: QueuePlan, sent: NewMessage): object {
    const isFifo = queue.attributes.FifoQueue === 'true';
    checkContent(sent);
    if (isFifo) checkFifo(queue, sent);
    const { MessageBody, MessageAttributes, DelaySeconds, MessageGroupId } = sent;
    const { id, sequence } = this.#store.send(queue.name, {
      body: MessageBody,
      attributes: JSON.stringify(MessageAttributes),
      groupId: MessageGroupId,
      deduplicationId: isFifo ? (sent.MessageDeduplicationId ?? sha256(MessageBody)) : undefined,
      delaySeconds: DelaySeconds ?? Number(queue.attributes.DelaySeconds ?? 0),
    });
    this.#wake(queue.name);
    return {
      MessageId: id,
      MD5OfMessageBody: md5(MessageBody),
      ...(isFifo && { SequenceNumber: sequenceNumber(sequence) }),
    };
  }

  async #receive(queue: QueuePlan, request: Receive): Promise<object> {
    const waitSeconds = request.WaitTimeSeconds ?? Number(queue.attributes.ReceiveMessageWaitTimeSeconds ?? 0);
    const deadline = Date.now() + waitSeconds * 1_000;
    while (!this.#isStopped) {
      const messages = this.#take(queue, request);
      if (messages.length > 0) return { Messages: messages.map((each) => receivedMessage(each, request)) };
      if (Date.now() >= deadline) break;
      await this.#change(queue.name, Math.min(deadline, this.#store.nextVisibleAt(queue.name) ?? deadline));
    }
    return {};
  }

  #take(queue: QueuePlan, request: Receive): ReceivedMessage[] {
    const { name, arn, visibilityTimeoutSeconds, attributes, redrive } = queue;
    if (attributes.MessageRetentionPeriod) this.#store.dropOlderThan(name, Number(attributes.MessageRetentionPeriod));
    const deadLetterQueue = this.#queues.find((candidate) => candidate.arn === redrive?.deadLetterTargetArn)?.name;
    const messages = this.#store.receive(name, {
      limit: request.MaxNumberOfMessages,
      visibilitySeconds: request.VisibilityTimeout ?? visibilityTimeoutSeconds,
      ...(redrive &&
        deadLetterQueue !== undefined && {
          redrive: { sourceArn: arn, deadLetterQueue, maximumReceives: redrive.maxReceiveCount },
        }),
    });
    if (deadLetterQueue !== undefined) this.#wake(deadLetterQueue);
    return messages;
  }

  #delete(queue: QueuePlan, { ReceiptHandle }: { ReceiptHandle: string }): object {
    this.#store.delete(queue.name, ReceiptHandle);
    this.#wake(queue.name);
    return {};
  }

  #changeVisibility(queue: QueuePlan, change: { ReceiptHandle: string; VisibilityTimeout: number }): object {
    if (!this.#store.changeVisibility(queue.name, change.ReceiptHandle, change.VisibilityTimeout)) {
      throw new ServiceError('com.amazonaws.sqs#MessageNotInflight', 'The message is not in flight.');
    }
    this.#wake(queue.name);
    return {};
  }

  #attributesOf(queue: QueuePlan): Record<string, string> {
    const { visible, inFlight, delayed } = this.#store.count(queue.name);
    return {
      ...queue.attributes,
      QueueArn: queue.arn,
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: String(delayed),
    };
  }

  /** Waits until something happens to the queue, but no longer than until `time`. */
  async #change(queueName: string, time: number): Promise<void> {
    const waiting = this.#waiting.get(queueName) ?? new Set();
    this.#waiting.set(queueName, waiting);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, Math.max(1, time - Date.now()));
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      waiting.add(done);
    });
  }

  #wake(queueName: string): void {
    for (const wake of [...(this.#waiting.get(queueName) ?? [])]) wake();
  }
}

function checkContent(sent: NewMessage): void {
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

function checkFifo(
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
function eachOf<Entry extends { readonly Id: string }>(
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

function receivedMessage(each: ReceivedMessage, request: Receive): object {
  const wanted = new Set([...request.AttributeNames, ...request.MessageSystemAttributeNames]);
  const system = Object.entries(systemAttributes(each)).filter(([name]) => wanted.has('All') || wanted.has(name));
  const attributes = Object.entries(v.parse(messageAttributes, JSON.parse(each.attributes))).filter(([name]) =>
    isWanted(name, request.MessageAttributeNames),
  );
  return {
    MessageId: each.id,
    ReceiptHandle: each.receipt,
    Body: each.body,
    MD5OfBody: md5(each.body),
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    ...(attributes.length > 0 && { MessageAttributes: Object.fromEntries(attributes) }),
  };
}

/** A name, a prefix (`thing.*`), or all. */
function isWanted(name: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === 'All' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))),
  );
}

function systemAttributes(each: ReceivedMessage): Record<string, string> {
  return {
    SentTimestamp: String(each.sentAt),
    ApproximateReceiveCount: String(each.receiveCount),
    ApproximateFirstReceiveTimestamp: String(each.firstReceivedAt),
    ...(each.groupId !== null && { MessageGroupId: each.groupId }),
    ...(each.deduplicationId !== null && {
      MessageDeduplicationId: each.deduplicationId,
      SequenceNumber: sequenceNumber(each.sequence),
    }),
    ...(each.sourceArn !== null && { DeadLetterQueueSourceArn: each.sourceArn }),
  };
}

function bytesOf({ MessageBody, MessageAttributes }: NewMessage): number {
  const attributes = Object.entries(MessageAttributes).map(
    ([name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      Buffer.byteLength(name + DataType + StringValue) + Buffer.byteLength(BinaryValue, 'base64'),
  );
  return attributes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody));
}

function sequenceNumber(sequence: number): string {
  return String(sequence).padStart(20, '0');
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
  throw new ServiceError('InvalidParameterValue', complaints);
}
