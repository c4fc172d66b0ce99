import { Duration, Stack, Validations } from 'aws-cdk-lib';
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
import { accessOf } from '#infra/access.ts';
import { workersOf } from '#infra/config.ts';
import { deadLetterFunction, type FunctionDefinition, LEAST_WORKERS, workerFunction } from '#infra/functions.ts';
import { fifoName, type Platform, queueOf } from '#infra/platform.ts';
import { MAX_MESSAGE_BYTES, MAX_RECEIVES, type QueueDefinition } from '#shared/queues.ts';
import { HouseFunction } from './house-function.ts';

/** AWS advises six times the worker's time: a failed message would block its group for that long. */
const HIDDEN_AFTER_WORKER_SECONDS = 30;

export interface HouseQueueProps {
  readonly definition: QueueDefinition;
  readonly platform: Platform;
}

/** Groups (organizations, or webhooks) do not wait for each other. */
export class HouseQueue extends Construct {
  readonly definition: QueueDefinition;
  readonly queueName: string;
  readonly deadLettersName: string;
  /** Undefined if nobody needs the dead letters: a schedule queues the work again. */
  readonly deadLetterWorker: HouseFunction | undefined;

  constructor(scope: Construct, { definition, platform }: HouseQueueProps) {
    super(scope, definition.name);
    this.definition = definition;
    const { prefix } = platform.config;
    this.queueName = fifoName(prefix, definition.name);
    this.deadLettersName = fifoName(prefix, `${definition.name}-dead-letters`);
    const deadLetterWorker = deadLetterFunction(definition);
    const deadLetterSeconds = (deadLetterWorker ?? definition).timeoutSeconds;
    const deadLetters = new Queue(this, 'DeadLetters', {
      ...fifo(this.deadLettersName, deadLetterSeconds),
      redriveAllowPolicy: { sourceQueues: [this.byName(platform)] },
    });
    const queue = new Queue(this, 'Queue', {
      ...fifo(this.queueName, definition.timeoutSeconds),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
    Validations.of(deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is a dead-letter queue: its messages wait for its worker, or are a sign for the alarm.',
    });
    this.feed(queue, workerFunction(definition), platform, workersOf(platform.config, definition));
    if (deadLetterWorker) {
      this.deadLetterWorker = this.feed(deadLetters, deadLetterWorker, platform, LEAST_WORKERS);
    }
  }

  /** The queue and its dead-letter queue name each other, which CloudFormation takes of one of them only. */
  private byName(platform: Platform): IQueue {
    return Queue.fromQueueArn(this, 'Source', queueOf(this, platform, this.definition.name).arn);
  }

  private feed(
    queue: IQueue,
    definition: FunctionDefinition,
    platform: Platform,
    maxConcurrency: number,
  ): HouseFunction {
    const isLoopMeant = accessOf(definition.name, platform.access).sends?.includes(this.definition.name) ?? false;
    // Its own name alone identifies it in the stack, so that it stays where the queue is renamed.
    const worker = new HouseFunction(Stack.of(this), {
      definition,
      platform,
      triggerStatements: [receiving(queue)],
      isLoopMeant,
    });
    const mapping = new EventSourceMapping(worker, 'Mapping', {
      target: worker.lambda,
      eventSourceArn: queue.queueArn,
      batchSize: this.definition.batchSize,
      maxConcurrency,
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

function fifo(name: string, functionTimeoutSeconds: number): QueueProps {
  return {
    queueName: name,
    fifo: true,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
    fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    /** Nothing is moved back from dead letters, so they need no longer. */
    retentionPeriod: Duration.days(4),
    visibilityTimeout: Duration.seconds(functionTimeoutSeconds + HIDDEN_AFTER_WORKER_SECONDS),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  };
}

function receiving(queue: IQueue): PolicyStatement {
  return new PolicyStatement({
    sid: 'Receives',
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [queue.queueArn],
  });
}
