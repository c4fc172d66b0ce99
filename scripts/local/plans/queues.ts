import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { AssemblyError } from '../template.ts';
import { functionNameOf } from './functions.ts';
import { flag, numeric, parse } from './properties.ts';

/** FIFO queues, and the functions that are invoked with their messages. The local cloud has no other queues. */

/** What SQS has long given a queue that does not name it. */
const LEAST_MESSAGE_BYTES = 262_144;

const queueProperties = v.object({
  FifoQueue: v.optional(flag, false),
  MaximumMessageSize: v.optional(numeric, LEAST_MESSAGE_BYTES),
  VisibilityTimeout: v.optional(numeric, 30),
  MessageRetentionPeriod: v.optional(numeric, 345_600),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: numeric })),
});

export interface QueuePlan {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly maximumMessageBytes: number;
  readonly visibilityTimeoutSeconds: number;
  readonly retentionSeconds: number;
  readonly redrive?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
}

const eventSourceProperties = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  Enabled: v.optional(flag, true),
  BatchSize: v.optional(numeric, 10),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(numeric) }), {}),
});

export interface EventSourcePlan {
  readonly queue: QueuePlan;
  readonly functionName: string;
  readonly batchSize: number;
  readonly reportsItemFailures: boolean;
  readonly maximumConcurrency?: number;
}

export function queuePlans(resolver: Resolver): QueuePlan[] {
  return resolver.resourcesOf('AWS::SQS::Queue').flatMap((resource) => {
    const { ref: url, attributes } = resolver.physicalIdOf(resource);
    const { FifoQueue, ...queue } = parse(resolver, resource, queueProperties);
    if (!FifoQueue) return [];
    return {
      name: attributes.QueueName ?? url,
      url,
      arn: attributes.Arn ?? url,
      maximumMessageBytes: queue.MaximumMessageSize,
      visibilityTimeoutSeconds: queue.VisibilityTimeout,
      retentionSeconds: queue.MessageRetentionPeriod,
      redrive: queue.RedrivePolicy,
    };
  });
}

export function eventSourcePlans(resolver: Resolver, queues: readonly QueuePlan[]): EventSourcePlan[] {
  return resolver
    .resourcesOf('AWS::Lambda::EventSourceMapping')
    .map((resource) => parse(resolver, resource, eventSourceProperties))
    .filter(({ Enabled }) => Enabled)
    .map(({ EventSourceArn, FunctionName, BatchSize, FunctionResponseTypes, ScalingConfig }) => {
      const queue = queues.find((candidate) => candidate.arn === EventSourceArn);
      if (!queue) throw new AssemblyError(`The local cloud has no event source ${EventSourceArn}.`);
      return {
        queue,
        functionName: functionNameOf(FunctionName),
        batchSize: BatchSize,
        reportsItemFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
        maximumConcurrency: ScalingConfig.MaximumConcurrency,
      };
    });
}
