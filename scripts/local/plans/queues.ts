import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { AssemblyError, type Resource } from '../template.ts';
import { functionNameOf } from './functions.ts';
import { flag, numeric, parse } from './properties.ts';

/** Queues, and the functions that are invoked with their messages. */

const queueProperties = v.object({
  FifoQueue: v.optional(flag, false),
  ContentBasedDeduplication: v.optional(flag),
  DeduplicationScope: v.optional(v.string()),
  FifoThroughputLimit: v.optional(v.string()),
  VisibilityTimeout: v.optional(numeric, 30),
  DelaySeconds: v.optional(numeric),
  MaximumMessageSize: v.optional(numeric),
  MessageRetentionPeriod: v.optional(numeric),
  ReceiveMessageWaitTimeSeconds: v.optional(numeric),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: numeric })),
});

export interface QueuePlan {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly visibilityTimeoutSeconds: number;
  readonly redrive?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
  /** As `GetQueueAttributes` gives them. */
  readonly attributes: Readonly<Record<string, string>>;
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
  return resolver.resourcesOf('AWS::SQS::Queue').map((resource) => queuePlan(resolver, resource));
}

function queuePlan(resolver: Resolver, resource: Resource): QueuePlan {
  const { ref: url, attributes } = resolver.physicalIdOf(resource);
  const { FifoQueue, RedrivePolicy, ...rest } = parse(resolver, resource, queueProperties);
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    name: attributes.QueueName ?? url,
    url,
    arn: attributes.Arn ?? url,
    visibilityTimeoutSeconds: rest.VisibilityTimeout,
    redrive: RedrivePolicy,
    attributes: {
      ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ...(FifoQueue && { FifoQueue: 'true' }),
      ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
    },
  };
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
