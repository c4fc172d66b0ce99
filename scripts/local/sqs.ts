import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import type { QueuePlan } from './plans/queues.ts';
import { ServiceError } from './service-error.ts';
import { md5, receivedMessage, sequenceNumber } from './sqs-messages.ts';
import {
  bytesOf,
  checkContent,
  checkFifo,
  eachOf,
  MAXIMUM_BYTES,
  type NewMessage,
  parse,
  type Receive,
  requests,
} from './sqs-requests.ts';
import { type ReceivedMessage, SqsStore } from './sqs-store.ts';

/**
 * SQS, as far as a service uses it: standard and FIFO queues, batches, long polling, delays, visibility,
 * deduplication, dead letters. We wrote our own because the available emulator lost messages when it was killed, and
 * when the messages' visibility changed.
 */

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

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
