import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { sampleStacks } from './sample.ts';
import { realStacks } from './stacks.ts';

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

describe.each([
  ['the service', await realStacks()],
  ['a service with one of everything', await sampleStacks()],
])('queues of %s', (_, stacks) => {
  const queues = stacks.ofType('AWS::SQS::Queue', redrive).map(({ properties }) => properties);
  const definitions = stacks.tables.queues.map((definition) => [definition.name, definition] as const);
  const named = (name: string) => queues.find(({ QueueName }) => QueueName === name);

  it.each(definitions)('%s and its dead-letter queue are FIFO, for messages of 1 MiB', (name) => {
    const both = { FifoQueue: true, MaximumMessageSize: 1_048_576 };
    expect(named(`billwright-${name}-dead-letters.fifo`)).toMatchObject(both);
    const deadLetterTargetArn = expect.stringMatching(/-dead-letters\.fifo$/);
    const RedrivePolicy = { deadLetterTargetArn, maxReceiveCount: 5 };
    expect(named(`billwright-${name}.fifo`)).toMatchObject({ ...both, RedrivePolicy });
  });

  it.each(definitions)(
    '%s is hidden for as long as its worker may run, and half a minute',
    (name, { timeoutSeconds }) => {
      expect(named(`billwright-${name}.fifo`)?.VisibilityTimeout).toBe(timeoutSeconds + 30);
    },
  );

  it.each(definitions)('%s feeds its worker, which says what failed of a batch', (name, { worker, batchSize }) => {
    const sources = stacks.blueprint.eventSources.filter(({ queue }) => queue.name === `billwright-${name}.fifo`);
    expect(sources).toMatchObject([{ functionName: `billwright-${worker}`, batchSize, reportsItemFailures: true }]);
  });

  it.each(definitions)('%s alone may send to its dead letters, which go when its messages would', (name) => {
    const deadLetters = named(`billwright-${name}-dead-letters.fifo`);
    const arn = expect.stringMatching(new RegExp(`:billwright-${name}\\.fifo$`));
    expect(deadLetters?.RedriveAllowPolicy).toEqual({ redrivePermission: 'byQueue', sourceQueueArns: [arn] });
    expect(deadLetters?.MessageRetentionPeriod).toBe(named(`billwright-${name}.fifo`)?.MessageRetentionPeriod);
  });

  it.each(definitions)('%s has its dead letters handled where the table says so', (name, { deadLetterWorker }) => {
    const sources = stacks.blueprint.eventSources.filter(
      ({ queue }) => queue.name === `billwright-${name}-dead-letters.fifo`,
    );
    expect(sources.map(({ functionName }) => functionName)).toEqual(
      deadLetterWorker ? [`billwright-${deadLetterWorker}`] : [],
    );
  });

  it.each(definitions)('%s takes no more of the concurrency than it may', (name, { maximumConcurrency }) => {
    const limitOf = (queueName: string) =>
      stacks.blueprint.eventSources.find(({ queue }) => queue.name === queueName)?.maximumConcurrency;
    expect(limitOf(`billwright-${name}.fifo`)).toBe(maximumConcurrency);
    expect(limitOf(`billwright-${name}-dead-letters.fifo`) ?? 2).toBe(2);
  });

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

  it('refuse requests that are not encrypted', () => {
    const policy = v.object({ Queues: v.array(v.string()), PolicyDocument: v.unknown() });
    const secured = stacks
      .ofType('AWS::SQS::QueuePolicy', policy)
      .filter(({ properties }) => JSON.stringify(properties.PolicyDocument).includes('"aws:SecureTransport":"false"'));
    expect(secured).toHaveLength(queues.length);
  });

  it('try no tick again, and give it up when the next one is due', () => {
    const { schedules } = stacks.tables;
    expect(stacks.blueprint.schedules.map((plan) => [plan.retryAttempts, plan.maximumAgeSeconds])).toEqual(
      schedules.map(({ everyMinutes }) => [0, everyMinutes * 60]),
    );
  });

  it('start the scheduled functions at their rate, with a queue for what EventBridge cannot deliver', () => {
    const rule = v.object({
      Targets: v.tuple([v.object({ Arn: v.string(), DeadLetterConfig: v.object({ Arn: v.string() }) })]),
    });
    const { schedules } = stacks.tables;
    expect(stacks.ofType('AWS::Events::Rule', rule)).toHaveLength(schedules.length);
    expect(stacks.blueprint.schedules.map(({ functionName, expression }) => ({ functionName, expression }))).toEqual(
      schedules.map(({ name, everyMinutes }) => ({
        functionName: `billwright-${name}`,
        expression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
      })),
    );
  });
});
