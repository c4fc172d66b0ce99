import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  type IQueue,
  Queue,
  QueueEncryption,
  type QueueProps,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterFunction, type FunctionDefinition, workerFunction } from '#infra/functions.ts';
import type { Platform } from '#infra/platform.ts';
import type { QueueDefinition } from '#shared/queues.ts';
import { HouseFunction } from './house-function.ts';

/** AWS asks for six times the function's timeout, so that a batch which is retried inside the poller is not delivered again meanwhile. */
const VISIBILITY_TIMEOUTS_PER_FUNCTION_TIMEOUT = 6;

export interface HouseQueueProps {
  readonly definition: QueueDefinition;
  /** Of the service: names the queue in the cloud. */
  readonly prefix: string;
}

/** A FIFO queue with its dead-letter queue. Groups (organizations) do not wait for each other; senders give the deduplication id. */
export class HouseQueue extends Construct {
  readonly definition: QueueDefinition;
  /** In the cloud, as its messages say it. */
  readonly queueName: string;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** Undefined until `addWorkers`, and where dead letters wait for a person. */
  deadLetterWorker: HouseFunction | undefined;

  constructor(scope: Construct, { definition, prefix }: HouseQueueProps) {
    super(scope, definition.name);
    this.definition = definition;
    this.queueName = fifoName(`${prefix}-${definition.name}`);
    const deadLetterSeconds = definition.deadLetterWorker
      ? deadLetterFunction(definition.deadLetterWorker).timeoutSeconds
      : definition.timeoutSeconds;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...fifo(`${prefix}-${definition.name}-dead-letters`, deadLetterSeconds),
      /** The longest that SQS keeps anything: time to mend the worker and to move the messages back. */
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...fifo(`${prefix}-${definition.name}`, definition.timeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: definition.maxReceives },
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is a dead-letter queue: its messages wait for its worker or a person, with an alarm.',
    });
  }

  /** Makes the workers of the queue and of its dead letters, once all queues exist that these may send to. */
  addWorkers(platform: Platform): void {
    const { definition } = this;
    this.feed(this.queue, workerFunction(definition), platform);
    if (definition.deadLetterWorker) {
      const settling = deadLetterFunction(definition.deadLetterWorker);
      this.deadLetterWorker = this.feed(this.deadLetters, settling, platform);
    }
  }

  private feed(queue: IQueue, definition: FunctionDefinition, platform: Platform): HouseFunction {
    const isLoopMeant = definition.access.sends?.includes(this.definition.name) ?? false;
    const worker = new HouseFunction(this, {
      definition,
      platform,
      triggerStatements: [receiving(queue)],
      isLoopMeant,
    });
    const mapping = new EventSourceMapping(worker, 'Mapping', {
      target: worker.lambda,
      eventSourceArn: queue.queueArn,
      batchSize: this.definition.batchSize,
      maxConcurrency: this.definition.maximumConcurrency,
      reportBatchItemFailures: true,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        'SQS itself moves a message that failed too often to the dead-letter queue; a destination is for streams.',
    });
    return worker;
  }
}

/** SQS demands the ending. */
function fifoName(name: string): string {
  return `${name}.fifo`;
}

function fifo(name: string, functionTimeoutSeconds: number): QueueProps {
  return {
    queueName: fifoName(name),
    fifo: true,
    deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
    fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    visibilityTimeout: Duration.seconds(functionTimeoutSeconds * VISIBILITY_TIMEOUTS_PER_FUNCTION_TIMEOUT),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  };
}

/** What the poller does in the worker's name. */
function receiving(queue: IQueue): PolicyStatement {
  return new PolicyStatement({
    sid: 'Receives',
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [queue.queueArn],
  });
}
