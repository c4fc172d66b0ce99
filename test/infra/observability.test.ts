import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { COUNTERS } from '#shared/runtime/metric-names.ts';
import { bothServices, sampleStacks } from './sample.ts';

const dimensions = v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []);

const stat = v.object({ Metric: v.object({ Namespace: v.string(), MetricName: v.string(), Dimensions: dimensions }) });

const watching = v.object({
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Dimensions: dimensions,
  Metrics: v.optional(v.array(v.object({ MetricStat: v.optional(stat) })), []),
});

/** `namespace name dimension value ...` of everything that an alarm looks at. */
function watchedBy({ Namespace = '', MetricName, Dimensions, Metrics }: v.InferOutput<typeof watching>): string[] {
  const computed = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
  const all = MetricName ? [{ Namespace, MetricName, Dimensions }] : computed;
  return all.map((one) => [one.Namespace, one.MetricName, ...one.Dimensions.map(({ Value }) => Value)].join(' '));
}

const alarm = v.object({
  ...watching.entries,
  AlarmName: v.pipe(v.string(), v.startsWith('billwright-')),
  AlarmDescription: v.pipe(
    v.string(),
    v.regex(/^Hurts (?:callers|organizations)[^:]*: .{20,}\. What to do: infra\/RUNBOOK\.md#[a-z-]+$/),
  ),
  AlarmActions: v.tuple([v.string()]),
  OKActions: v.tuple([v.string()]),
});

describe.each(await bothServices())('alarms of %s', (_, stacks) => {
  const alarms = stacks.ofType('AWS::CloudWatch::Alarm', alarm).map(({ properties }) => properties);
  const watched = alarms.flatMap(watchedBy);

  it('each say whom the failure hurts and what to do, and tell the one topic of its beginning and its end', () => {
    const told = new Set(alarms.flatMap(({ AlarmActions, OKActions }) => [...AlarmActions, ...OKActions]));
    expect(told.size).toBe(1);
  });

  it('watch what callers and organizations meet, all that functions count for somebody to hear of, and nothing else', () => {
    const [api] = stacks.blueprint.apis;
    const [table] = stacks.blueprint.tables;
    const indexes = table?.GlobalSecondaryIndexes.map(({ IndexName }) => `${IndexName} ${table.name}`) ?? [];
    const expected = [
      ...['5xx', 'Count'].map((name) => `AWS/ApiGateway ${name} ${api?.id}`),
      ...['Throttles', 'ClaimedAccountConcurrency'].map((name) => `AWS/Lambda ${name}`),
      ...['ProviderErrors', 'Duration', 'ColdStarts', ...COUNTERS].map((name) => `billwright ${name} billwright`),
      'billwright RefusedRequests',
      // The queue is the dimension of its worker's own metric.
      'billwright Duration billwright-syncs.fifo billwright',
      ...[table?.name, ...indexes].flatMap((of) => [
        `AWS/DynamoDB ReadThrottleEvents ${of}`,
        `AWS/DynamoDB WriteThrottleEvents ${of}`,
      ]),
      ...stacks.tables.queues.flatMap(({ name, deadLetterWorker }) => [
        `AWS/SQS ApproximateAgeOfOldestMessage billwright-${name}.fifo`,
        `AWS/SQS ApproximateNumberOfMessagesVisible billwright-${name}-dead-letters.fifo`,
        ...(deadLetterWorker ? [`AWS/Lambda Invocations billwright-${deadLetterWorker}`] : []),
      ]),
      ...stacks.tables.schedules.flatMap(({ name }) => [
        `AWS/Lambda Errors billwright-${name}`,
        `AWS/Lambda Invocations billwright-${name}`,
        `AWS/SQS ApproximateNumberOfMessagesVisible billwright-${name}-undelivered`,
      ]),
    ];
    expect(new Set(watched)).toEqual(new Set(expected));
  });

  it('count what the stage refuses by fields that its access log has', () => {
    const filter = v.object({ FilterPattern: v.string(), LogGroupName: v.string() });
    const accessLog = v.object({ AccessLogSettings: v.object({ DestinationArn: v.string(), Format: v.string() }) });
    const [refused] = stacks.ofType('AWS::Logs::MetricFilter', filter);
    const [stage] = stacks.ofType('AWS::ApiGatewayV2::Stage', accessLog);
    const { DestinationArn = '', Format = '' } = stage?.properties.AccessLogSettings ?? {};
    const pattern = '{ ($.status = "429") && ($.functionLatencyMilliseconds = "-") }';
    expect(refused?.properties.FilterPattern).toBe(pattern);
    expect(DestinationArn).toContain(refused?.properties.LogGroupName);
    expect(JSON.parse(Format)).toMatchObject({
      status: '$context.status',
      functionLatencyMilliseconds: '$context.integrationLatency',
    });
  });

  it('may publish to the topic, and nobody may without encryption', () => {
    const policies = stacks.ofType('AWS::SNS::TopicPolicy', v.object({ PolicyDocument: v.unknown() }));
    const text = JSON.stringify(policies.map(({ properties }) => properties));
    expect(text).toContain('cloudwatch.amazonaws.com');
    expect(text).toContain('"aws:SecureTransport":"false"');
  });
});

const widget = v.object({ type: v.string(), properties: v.looseObject({ alarms: v.optional(v.array(v.string())) }) });

const dashboard = v.object({
  DashboardName: v.literal('billwright'),
  DashboardBody: v.pipe(v.string(), v.parseJson(), v.object({ widgets: v.array(widget) })),
});

describe.each(await bothServices())('the dashboard of %s', (_, stacks) => {
  const dashboards = stacks.ofType('AWS::CloudWatch::Dashboard', dashboard);
  const shown = JSON.stringify(dashboards.map(({ properties }) => properties.DashboardBody));
  const { routes, queues, schedules } = stacks.tables;

  it('finds the functions of its stage by the words of their names, as a search without quotes does', () => {
    expect(shown).toContain('FunctionName=(billwright NOT dev NOT staging NOT production)');
    expect(shown).not.toMatch(/FunctionName=\\*"/);
  });

  it('begins with all alarms', () => {
    expect(dashboards).toHaveLength(1);
    const [first] = dashboards[0]?.properties.DashboardBody.widgets ?? [];
    expect(first?.type).toBe('alarm');
    expect(new Set(first?.properties.alarms).size).toBe(stacks.ofType('AWS::CloudWatch::Alarm', v.unknown()).length);
  });

  it('has each operation, queue and schedule under the name that it is counted by', () => {
    for (const { operationId } of routes) {
      expect(shown).toContain(`"AWS/Lambda","Duration","FunctionName","billwright-${kebabCase(operationId)}"`);
      expect(shown).toContain(`"billwright","ServerErrors","operation","${operationId}","service","billwright"`);
    }
    for (const { name } of queues) expect(shown).toContain(`"Failures","queue","billwright-${name}.fifo"`);
    for (const { name } of schedules) expect(shown).toContain(`"Duration","FunctionName","billwright-${name}"`);
  });
});

describe('an address for alarms', () => {
  it('subscribes to the topic', async () => {
    const stacks = await sampleStacks({ alarmEmail: 'oncall@example.com' });
    const subscription = v.object({ Protocol: v.literal('email'), Endpoint: v.literal('oncall@example.com') });
    expect(stacks.ofType('AWS::SNS::Subscription', subscription)).toHaveLength(1);
  });
});
