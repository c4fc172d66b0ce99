import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { StartError } from './errors.ts';
import type { Functions } from './functions.ts';
import type { InvocationResult } from './instance.ts';
import type { Logs } from './logs.ts';
import { REGION } from './names.ts';
import type { EventSourcePlan } from './plans/queues.ts';
import type { Sqs } from './sqs.ts';

/**
 * An event source mapping: receives from a queue, invokes the function with batches, and deletes the
 * messages that succeeded.
 */

const LONG_POLL_SECONDS = 20;
const MAXIMUM_RECEIVE = 10;
const DEFAULT_CONCURRENCY = 5;
const ERROR_PAUSE_MILLISECONDS = 1_000;

/** What Lambda's poller does in the name of the function's role. */
const POLLER_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const messageAttribute = v.object({
  DataType: v.string(),
  StringValue: v.optional(v.string()),
  BinaryValue: v.optional(v.string()),
});

const message = v.object({
  MessageId: v.string(),
  ReceiptHandle: v.string(),
  Body: v.string(),
  MD5OfBody: v.string(),
  MD5OfMessageAttributes: v.optional(v.string()),
  Attributes: v.optional(v.record(v.string(), v.string()), {}),
  MessageAttributes: v.optional(v.record(v.string(), messageAttribute), {}),
});

type Message = v.InferOutput<typeof message>;

const received = v.object({ Messages: v.optional(v.array(message), []) });

const batchResponse = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))) }),
);

export interface EventSourceOptions {
  readonly sqs: Sqs;
  readonly functions: Functions;
  readonly logs: Logs;
  /**
   * Seconds until a failed message is delivered again, if that is sooner than its visibility timeout. In the cloud
   * the timeout decides. It is minutes long, which is too long to wait at a desk.
   */
  readonly maximumRedeliverySeconds: number;
}

export class EventSource {
  readonly #plan: EventSourcePlan;
  readonly #options: EventSourceOptions;
  readonly #batches = new Set<Promise<void>>();
  #isStopped = false;

  constructor(plan: EventSourcePlan, options: EventSourceOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#checkRole();
  }

  start(): void {
    void this.#poll();
  }

  /** What is in flight stays in flight, and is delivered again at the next start. */
  stop(): void {
    this.#isStopped = true;
  }

  #checkRole(): void {
    const { queue, functionName } = this.#plan;
    const policy = this.#options.functions.policyOf(functionName);
    const missing = POLLER_ACTIONS.filter((action) => !policy?.allows({ action, resource: queue.arn }));
    if (missing.length === 0) return;
    throw new StartError(
      `The role of ${functionName} lacks ${missing.join(', ')} on ${queue.name}, which it consumes.`,
    );
  }

  async #poll(): Promise<void> {
    const concurrency = this.#plan.maximumConcurrency ?? DEFAULT_CONCURRENCY;
    while (!this.#isStopped) {
      try {
        if (this.#batches.size >= concurrency) await Promise.race(this.#batches);
        const messages = await this.#receive();
        if (messages.length > 0) this.#handle(messages);
      } catch (error) {
        if (this.#isStopped) return;
        this.#options.logs.write(this.#plan.functionName, undefined, {
          level: 'ERROR',
          message: `Cannot receive from ${this.#plan.queue.name}: ${String(error)}`,
        });
        await sleep(ERROR_PAUSE_MILLISECONDS);
      }
    }
  }

  #handle(messages: readonly Message[]): void {
    const batch = this.#deliver(messages).finally(() => this.#batches.delete(batch));
    this.#batches.add(batch);
  }

  async #receive(): Promise<Message[]> {
    const answer = await this.#options.sqs.call('ReceiveMessage', {
      QueueUrl: this.#plan.queue.url,
      MaxNumberOfMessages: Math.min(this.#plan.batchSize, MAXIMUM_RECEIVE),
      WaitTimeSeconds: LONG_POLL_SECONDS,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return v.parse(received, answer).Messages;
  }

  async #deliver(messages: readonly Message[]): Promise<void> {
    const { functionName, queue } = this.#plan;
    const event = JSON.stringify({ Records: messages.map((each) => recordOf(each, queue.arn)) });
    let failed: ReadonlySet<string>;
    try {
      failed = this.#failedIds(await this.#options.functions.invoke(functionName, event), messages);
    } catch {
      failed = new Set(messages.map(({ MessageId }) => MessageId));
    }
    if (this.#isStopped && failed.size === messages.length) return;
    await this.#settle(messages, failed);
  }

  /** Anything but a clear report fails the whole batch, as on Lambda. */
  #failedIds({ payload, functionError }: InvocationResult, messages: readonly Message[]): ReadonlySet<string> {
    const all = new Set(messages.map(({ MessageId }) => MessageId));
    if (functionError) return all;
    if (!this.#plan.reportsItemFailures) return new Set();
    const response = v.safeParse(batchResponse, JSON.parse(payload));
    if (!response.success) return all;
    const failures = response.output?.batchItemFailures ?? [];
    const ids = failures.map(({ itemIdentifier }) => itemIdentifier);
    return ids.every((id) => all.has(id)) ? new Set(ids) : all;
  }

  async #settle(messages: readonly Message[], failed: ReadonlySet<string>): Promise<void> {
    const { url, visibilityTimeoutSeconds } = this.#plan.queue;
    const wait = Math.min(visibilityTimeoutSeconds, this.#options.maximumRedeliverySeconds);
    for (const { MessageId, ReceiptHandle } of messages) {
      try {
        const isFailed = failed.has(MessageId);
        await this.#options.sqs.call(isFailed ? 'ChangeMessageVisibility' : 'DeleteMessage', {
          QueueUrl: url,
          ReceiptHandle,
          ...(isFailed && { VisibilityTimeout: wait }),
        });
      } catch {
        // Another receiver got the message meanwhile, or the message is gone. It is no longer ours to settle.
      }
    }
  }
}

/** A message as an element of `Records` of the event. */
function recordOf(each: Message, queueArn: string): object {
  const attributes = Object.entries(each.MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
    name,
    {
      dataType: DataType,
      stringValue: StringValue,
      binaryValue: BinaryValue,
      stringListValues: [],
      binaryListValues: [],
    },
  ]);
  return {
    messageId: each.MessageId,
    receiptHandle: each.ReceiptHandle,
    body: each.Body,
    attributes: each.Attributes,
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: each.MD5OfBody,
    md5OfMessageAttributes: each.MD5OfMessageAttributes,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}
