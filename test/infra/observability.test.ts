import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { sampleStacks } from './sample.ts';
import { realStacks } from './stacks.ts';

const alarm = v.object({
  AlarmDescription: v.pipe(v.string(), v.regex(/^Hurts (?:callers|organizations)[^:]*: .{20,}\.$/)),
  AlarmActions: v.tuple([v.string()]),
  MetricName: v.optional(v.string()),
  Dimensions: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []),
});

describe.each([
  ['the service', await realStacks()],
  ['a service with one of everything', await sampleStacks()],
])('alarms of %s', (_, stacks) => {
  const alarms = stacks.ofType('AWS::CloudWatch::Alarm', alarm).map(({ properties }) => properties);
  const watched = alarms.map(({ MetricName, Dimensions }) =>
    [MetricName, ...Dimensions.map(({ Value }) => Value)].join(' '),
  );

  it('each say whom the failure hurts, and tell the one topic', () => {
    expect(alarms.length).toBeGreaterThan(0);
    expect(new Set(alarms.flatMap(({ AlarmActions }) => AlarmActions)).size).toBe(1);
  });

  it('watch the API, the table, and every queue', () => {
    const apiId = stacks.blueprint.apis[0]?.id;
    expect(watched).toEqual(expect.arrayContaining([`5xx ${apiId}`, `Latency ${apiId}`]));
    const expressions = v.object({ Metrics: v.optional(v.array(v.unknown()), []) });
    const computed = JSON.stringify(
      stacks.ofType('AWS::CloudWatch::Alarm', expressions).map(({ properties }) => properties),
    );
    expect(computed).toContain('WriteThrottleEvents');
    for (const { name } of stacks.tables.queues) {
      expect(watched).toContain(`ApproximateAgeOfOldestMessage billwright-${name}.fifo`);
      expect(watched).toContain(`ApproximateNumberOfMessagesVisible billwright-${name}-dead-letters.fifo`);
    }
    for (const { name } of stacks.tables.schedules) expect(watched).toContain(`Errors billwright-${name}`);
  });

  it('may publish to the topic, and nobody may without encryption', () => {
    const policies = stacks.ofType('AWS::SNS::TopicPolicy', v.object({ PolicyDocument: v.unknown() }));
    const text = JSON.stringify(policies.map(({ properties }) => properties));
    expect(text).toContain('cloudwatch.amazonaws.com');
    expect(text).toContain('"aws:SecureTransport":"false"');
  });

  it('are on one dashboard with the rest', () => {
    expect(
      stacks.ofType('AWS::CloudWatch::Dashboard', v.object({ DashboardName: v.literal('billwright') })),
    ).toHaveLength(1);
  });
});

describe('an address for alarms', () => {
  it('subscribes to the topic', async () => {
    const stacks = await sampleStacks({ alarmEmail: 'oncall@example.com' });
    const subscription = v.object({ Protocol: v.literal('email'), Endpoint: v.literal('oncall@example.com') });
    expect(stacks.ofType('AWS::SNS::Subscription', subscription)).toHaveLength(1);
  });
});
