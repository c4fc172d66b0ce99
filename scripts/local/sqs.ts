import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { QUEUES_FILE } from './data-files.ts';
import type { QueuePlan } from './plans/queues.ts';
import { ServiceError } from './service-error.ts';
import { type ReceivedMessage, SqsStore } from './sqs-store.ts';

/**
 * FIFO queues: callers send, and event sources receive. It is our own because the available emulator lost messages
 * when it was killed, and when their visibility changed.
 */

const MAXIMUM_BATCH_BYTES = 1_048_576;
const MAXIMUM_BATCH = 10;
/** All but the characters of XML 1.0. */
const FORBIDDEN_CHARACTERS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(128));

const message = { MessageBody: v.pipe(v.string(), v.nonEmpty()), MessageGroupId: name, MessageDeduplicationId: name };

const sending = v.strictObject({ QueueUrl: v.string(), ...message });

const sendingBatch = v.strictObject({
  QueueUrl: v.string(),
  Entries: v.array(v.strictObject({ Id: v.string(), ...message })),
});

type Message = Pick<v.InferOutput<typeof sending>, keyof typeof message>;

export class Sqs {
  readonly #queues: readonly QueuePlan[];
  readonly #store: SqsStore;
  readonly #waiting = new Map<string, Set<() => void>>();
  #isStopped = false;

  constructor(dataDir: string, queues: readonly QueuePlan[]) {
    this.#queues = queues;
    this.#store = new SqsStore(join(dataDir, QUEUES_FILE));
    // In the cloud a visibility timeout of minutes would bring back the messages that a process left behind.
    this.#store.releaseInFlight();
  }

  call(operation: string, body: unknown): object {
    const queue = this.#queueOf(body);
    if (operation === 'SendMessage') return this.#send(queue, parse(sending, body));
    if (operation === 'SendMessageBatch') return this.#sendBatch(queue, parse(sendingBatch, body).Entries);
    throw new ServiceError('UnknownOperationException', `The local cloud's SQS has no ${operation}.`);
  }

  arnOf(body: unknown): string {
    return this.#queueOf(body).arn;
  }

  /** Waits for messages that are visible. Returns none once the queues have stopped. */
  async receive(queue: QueuePlan, limit: number): Promise<ReceivedMessage[]> {
    while (!this.#isStopped) {
      // A message that becomes visible between the two looks must be found by one of them.
      const lookedAt = Date.now();
      const messages = this.#take(queue, limit);
      if (messages.length > 0) return messages;
      await this.#change(queue.name, this.#store.nextVisibleAt(queue.name, lookedAt));
    }
    return [];
  }

  /** A receipt that is no longer valid deletes nothing. */
  delete(queue: QueuePlan, receipt: string): void {
    if (this.#isStopped) return;
    this.#store.delete(queue.name, receipt);
    this.#wake(queue.name);
  }

  changeVisibility(queue: QueuePlan, receipt: string, seconds: number): void {
    if (this.#isStopped) return;
    this.#store.changeVisibility(queue.name, receipt, seconds);
    this.#wake(queue.name);
  }

  stop(): void {
    this.#isStopped = true;
    for (const queueName of this.#waiting.keys()) this.#wake(queueName);
    this.#store.close();
  }

  #queueOf(body: unknown): QueuePlan {
    const { QueueUrl } = parse(v.object({ QueueUrl: v.string() }), body);
    const queueName = QueueUrl.split('/').at(-1);
    const queue = this.#queues.find((candidate) => candidate.name === queueName);
    if (!queue) throw new ServiceError('com.amazonaws.sqs#QueueDoesNotExist', `There is no queue ${queueName}.`);
    return queue;
  }

  #send(queue: QueuePlan, { MessageBody, MessageGroupId, MessageDeduplicationId }: Message): object {
    if (Buffer.byteLength(MessageBody) > queue.maximumMessageBytes) {
      throw new ServiceError(
        'InvalidParameterValue',
        `Message must be shorter than ${queue.maximumMessageBytes} bytes.`,
      );
    }
    if (FORBIDDEN_CHARACTERS.test(MessageBody)) {
      throw new ServiceError('com.amazonaws.sqs#InvalidMessageContents', 'XML 1.0 does not allow these characters.');
    }
    const sent = { body: MessageBody, groupId: MessageGroupId, deduplicationId: MessageDeduplicationId };
    const { id, sequence } = this.#store.send(queue.name, sent);
    this.#wake(queue.name);
    return { MessageId: id, MD5OfMessageBody: md5(MessageBody), SequenceNumber: sequenceNumber(sequence) };
  }

  #sendBatch(queue: QueuePlan, entries: readonly (Message & { readonly Id: string })[]): object {
    checkBatch(entries);
    const Successful: object[] = [];
    const Failed: object[] = [];
    for (const entry of entries) {
      try {
        Successful.push({ Id: entry.Id, ...this.#send(queue, entry) });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        Failed.push({ Id: entry.Id, SenderFault: true, Code: error.type, Message: error.message });
      }
    }
    return { Successful, Failed };
  }

  #take(queue: QueuePlan, limit: number): ReceivedMessage[] {
    const { visibilityTimeoutSeconds, retentionSeconds, redrive } = queue;
    this.#store.dropOlderThan(queue.name, retentionSeconds);
    const deadLetters = this.#queues.find(({ arn }) => arn === redrive?.deadLetterTargetArn);
    const redriving = redrive &&
      deadLetters && {
        sourceArn: queue.arn,
        deadLetterQueue: deadLetters.name,
        maximumReceives: redrive.maxReceiveCount,
      };
    const messages = this.#store.receive(queue.name, limit, visibilityTimeoutSeconds, redriving);
    if (deadLetters) this.#wake(deadLetters.name);
    return messages;
  }

  /** Waits until something happens to the queue, but not beyond a time in milliseconds since the epoch. */
  async #change(queueName: string, time: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(queueName) ?? new Set();
    this.#waiting.set(queueName, waiting.add(resolve));
    const timer = time === undefined ? undefined : setTimeout(resolve, Math.max(1, time - Date.now()));
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
  }

  #wake(queueName: string): void {
    for (const wake of this.#waiting.get(queueName) ?? []) wake();
  }
}

function checkBatch(entries: readonly (Message & { readonly Id: string })[]): void {
  if (entries.length === 0) throw new ServiceError('com.amazonaws.sqs#EmptyBatchRequest', 'The batch is empty.');
  if (entries.length > MAXIMUM_BATCH) {
    throw new ServiceError('com.amazonaws.sqs#TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new ServiceError('com.amazonaws.sqs#BatchEntryIdsNotDistinct', 'Two entries of the batch have the same id.');
  }
  const bytes = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > MAXIMUM_BATCH_BYTES) throw new ServiceError('BatchRequestTooLong', 'The batch is over 1 MiB.');
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
  throw new ServiceError('InvalidParameterValue', complaints);
}

export function sequenceNumber(sequence: number): string {
  return String(sequence).padStart(20, '0');
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
