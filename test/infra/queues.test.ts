import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { bothServices, sampleStacks } from './sample.ts';

const redrive = v.object({
  QueueName: v.string(),
  FifoQueue: v.optional(v.boolean(), false),
  SqsManagedSseEnabled: v.literal(true),
  VisibilityTimeout: v.optional(v.number(), 30),
  MaximumMessageSize: v.optional(v.number()),
  MessageRetentionPeriod: v.number(),
  RedriveAllowPolicy: v.optional(v.unknown()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
});

const looping = v.object({ FunctionName: v.string(), RecursiveLoop: v.picklist(['Allow', 'Terminate']) });

describe('the workers of a stage', () => {
  it('are as many as its settings say', async () => {
    const { blueprint } = await sampleStacks({ workers: { 'thing-events': 9 } });
    const limits = blueprint.eventSources.map(({ queue, maximumConcurrency }) => [queue.name, maximumConcurrency]);
    expect(Object.fromEntries(limits)).toEqual({
      'billwright-thing-events.fifo': 9,
      'billwright-thing-events-dead-letters.fifo': 2,
      'billwright-webhooks.fifo': 2,
    });
  });
});

describe.each(await bothServices())('queues of %s', (_, stacks) => {
  const queues = stacks.ofType('AWS::SQS::Queue', redrive).map(({ properties }) => properties);
  const named = (name: string) => queues.find(({ QueueName }) => QueueName === name);
  const sourcesOf = (name: string) => stacks.blueprint.eventSources.filter(({ queue }) => queue.name === name);

  it.each(stacks.tables.queues)(
    '$name is FIFO for messages of 1 MiB, hidden while its worker may run, and alone sends to its dead letters, which last as long',
    ({ name, timeoutSeconds }) => {
      const both = { FifoQueue: true, MaximumMessageSize: 1_048_576 };
      const queue = named(`billwright-${name}.fifo`);
      const deadLetterTargetArn = expect.stringMatching(/-dead-letters\.fifo$/);
      const RedrivePolicy = { deadLetterTargetArn, maxReceiveCount: 5 };
      expect(queue).toMatchObject({ ...both, RedrivePolicy, VisibilityTimeout: timeoutSeconds + 30 });
      const arn = expect.stringMatching(new RegExp(`:billwright-${name}\\.fifo$`));
      expect(named(`billwright-${name}-dead-letters.fifo`)).toMatchObject({
        ...both,
        RedriveAllowPolicy: { redrivePermission: 'byQueue', sourceQueueArns: [arn] },
        MessageRetentionPeriod: queue?.MessageRetentionPeriod,
      });
    },
  );

  it.each(stacks.tables.queues)(
    '$name feeds its worker, which says what failed of a batch, with no more at once than it may, and so do its dead letters',
    ({ name, worker, batchSize, maximumConcurrency, deadLetterWorker }) => {
      const functionName = `billwright-${worker}`;
      expect(sourcesOf(`billwright-${name}.fifo`)).toMatchObject([
        { functionName, batchSize, maximumConcurrency, reportsItemFailures: true },
      ]);
      expect(sourcesOf(`billwright-${name}-dead-letters.fifo`)).toMatchObject(
        deadLetterWorker ? [{ functionName: `billwright-${deadLetterWorker}`, maximumConcurrency: 2 }] : [],
      );
    },
  );

  it('whose workers send to themselves are let do so, and no others', () => {
    const ofLoops = stacks.ofType('AWS::Lambda::Function', looping);
    const allowed = ofLoops.filter(({ properties }) => properties.RecursiveLoop === 'Allow');
    const meant = stacks.tables.queues.filter(({ name, worker }) =>
      stacks.tables.access[worker]?.sends?.includes(name),
    );
    expect(allowed.map(({ properties }) => properties.FunctionName)).toEqual(
      meant.map(({ worker }) => `billwright-${worker}`),
    );
  });

  it('start the scheduled functions at their rate, give a tick up when the next one is due, and keep what EventBridge cannot deliver', () => {
    const rule = v.object({
      Targets: v.tuple([v.object({ Arn: v.string(), DeadLetterConfig: v.object({ Arn: v.string() }) })]),
    });
    const { schedules } = stacks.tables;
    expect(stacks.ofType('AWS::Events::Rule', rule)).toHaveLength(schedules.length);
    expect(stacks.blueprint.schedules).toMatchObject(
      schedules.map(({ name, everyMinutes }) => ({
        functionName: `billwright-${name}`,
        expression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
        retryAttempts: 0,
        maximumAgeSeconds: everyMinutes * 60,
      })),
    );
  });
});
