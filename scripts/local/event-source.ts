import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { StartError } from './errors.ts';
import type { Functions } from './functions.ts';
import type { InvocationResult } from './instance.ts';
import type { Logs } from './logs.ts';
import { ACCOUNT, REGION } from './names.ts';
import type { EventSourcePlan, QueuePlan } from './plans/queues.ts';
import { md5, type Sqs, sequenceNumber } from './sqs.ts';
import type { ReceivedMessage } from './sqs-store.ts';

/** Receives from a queue, invokes the function with batches, and deletes the messages that succeeded. */

const MAXIMUM_RECEIVE = 10;
const DEFAULT_CONCURRENCY = 5;
const ERROR_PAUSE_MILLISECONDS = 1_000;

/** Lambda's poller does these in the name of the function's role. */
const POLLER_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

const batchResponse = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))) }),
);

export interface EventSourceOptions {
  readonly sqs: Sqs;
  readonly functions: Functions;
  readonly logs: Logs;
  /** The visibility timeout that decides in the cloud is too long to wait at a desk. */
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

  /** Messages in flight stay in flight, and are delivered again at the next start. */
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
    const { queue, batchSize, maximumConcurrency = DEFAULT_CONCURRENCY } = this.#plan;
    const { sqs } = this.#options;
    while (!this.#isStopped) {
      try {
        if (this.#batches.size >= maximumConcurrency) await Promise.race(this.#batches);
        const messages = await sqs.receive(queue, Math.min(batchSize, MAXIMUM_RECEIVE));
        if (messages.length > 0) this.#handle(messages);
      } catch (error) {
        if (this.#isStopped) return;
        this.#complain('receive from', error);
        await sleep(ERROR_PAUSE_MILLISECONDS);
      }
    }
  }

  /** Messages that a full disk keeps from being deleted are delivered again. */
  #handle(messages: readonly ReceivedMessage[]): void {
    const batch = this.#deliver(messages)
      .catch((error: unknown) => this.#complain('delete from', error))
      .finally(() => this.#batches.delete(batch));
    this.#batches.add(batch);
  }

  #complain(action: string, error: unknown): void {
    const { queue, functionName } = this.#plan;
    const message = `Cannot ${action} ${queue.name}: ${String(error)}`;
    this.#options.logs.write(functionName, undefined, { level: 'ERROR', message });
  }

  async #deliver(messages: readonly ReceivedMessage[]): Promise<void> {
    const { functionName, queue } = this.#plan;
    const event = JSON.stringify({ Records: messages.map((each) => recordOf(each, queue)) });
    let failed: ReadonlySet<string>;
    try {
      failed = this.#failedIds(await this.#options.functions.invoke(functionName, event), messages);
    } catch {
      failed = new Set(messages.map(({ id }) => id));
    }
    if (this.#isStopped && failed.size === messages.length) return;
    this.#settle(messages, failed);
  }

  /** Anything but a clear report fails the whole batch, as on Lambda. */
  #failedIds({ payload, functionError }: InvocationResult, messages: readonly ReceivedMessage[]): ReadonlySet<string> {
    const all = new Set(messages.map(({ id }) => id));
    if (functionError) return all;
    if (!this.#plan.reportsItemFailures) return new Set();
    const response = v.safeParse(batchResponse, JSON.parse(payload));
    if (!response.success) return all;
    const failures = response.output?.batchItemFailures ?? [];
    const ids = failures.map(({ itemIdentifier }) => itemIdentifier);
    return ids.every((id) => all.has(id)) ? new Set(ids) : all;
  }

  #settle(messages: readonly ReceivedMessage[], failed: ReadonlySet<string>): void {
    const { queue } = this.#plan;
    const { sqs, maximumRedeliverySeconds } = this.#options;
    const wait = Math.min(queue.visibilityTimeoutSeconds, maximumRedeliverySeconds);
    for (const { id, receipt } of messages) {
      if (failed.has(id)) sqs.changeVisibility(queue, receipt, wait);
      else sqs.delete(queue, receipt);
    }
  }
}

function recordOf(message: ReceivedMessage, queue: QueuePlan): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: {
      SenderId: ACCOUNT,
      SentTimestamp: String(message.sentAt),
      ApproximateReceiveCount: String(message.receiveCount),
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
      MessageGroupId: message.groupId,
      MessageDeduplicationId: message.deduplicationId,
      SequenceNumber: sequenceNumber(message.sequence),
      ...(message.sourceArn !== null && { DeadLetterQueueSourceArn: message.sourceArn }),
    },
    messageAttributes: {},
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: REGION,
  };
}
