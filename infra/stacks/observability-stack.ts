import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  type MetricOptions,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from '#infra/config.ts';
import { HouseAlarm, type HouseAlarmProps } from '#infra/constructs/house-alarm.ts';
import type { HouseQueue } from '#infra/constructs/house-queue.ts';
import type { HouseSchedule } from '#infra/constructs/house-schedule.ts';
import { tableDefinition } from '#shared/data/table-definition.ts';

export interface ObservabilityStackProps {
  readonly config: Config;
  readonly table: ITableV2;
  readonly api: HttpApi;
  readonly queues: readonly HouseQueue[];
  readonly schedules: readonly HouseSchedule[];
}

const PERIOD = Duration.minutes(5);
const sum: MetricOptions = { statistic: 'Sum', period: PERIOD };
const maximum: MetricOptions = { statistic: 'Maximum', period: PERIOD };

/** A request that waits longer has lost the person who made it. */
const SLOW_REQUEST_MILLISECONDS = 3_000;

/** Queued work takes seconds; whoever started it looks at it before this. */
const STALE_MESSAGE_SECONDS = 15 * 60;

/** One topic, one dashboard, and the alarms: each is something to act upon now, for somebody is hurt by it. */
export class ObservabilityStack extends Stack {
  private readonly topic: Topic;

  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    const { config, table, api, queues, schedules } = props;
    super(scope, id, { description: 'Billwright: dashboard and alarms' });
    this.topic = this.alarmTopic(config);
    this.watchApi(api);
    this.watchTable(table);
    for (const queue of queues) this.watchQueue(queue);
    for (const schedule of schedules) this.watchSchedule(schedule);
    new Dashboard(this, 'Dashboard', {
      dashboardName: config.prefix,
      widgets: [apiWidgets(api), tableWidgets(table), ...queues.map(queueWidgets), functionWidgets(config.prefix)],
    });
  }

  private alarmTopic({ alarmEmail }: Config): Topic {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    /** A topic with a policy of its own loses the default one, which would let alarms of the account publish. */
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Mail cannot be redriven from a queue; an alarm that was not delivered still shows on the dashboard.',
    });
    return topic;
  }

  private watchApi(api: HttpApi): void {
    this.alarm('ServerErrors', {
      metric: api.metricServerError(sum),
      threshold: 5,
      periods: 1,
      hurts: 'callers of the API: more than five requests in five minutes failed on our side.',
    });
    this.alarm('SlowRequests', {
      metric: api.metricLatency({ statistic: 'p99', period: PERIOD }),
      threshold: SLOW_REQUEST_MILLISECONDS,
      periods: 3,
      hurts: 'callers of the API: for a quarter of an hour, one request in a hundred took more than three seconds.',
    });
  }

  private watchTable(table: ITableV2): void {
    for (const kind of ['Read', 'Write'] as const) {
      this.alarm(`Table${kind}Throttles`, {
        metric: throttles(table, kind),
        threshold: 0,
        periods: 2,
        hurts: `organizations whose partition is too hot: their ${kind.toLowerCase()}s are refused or retried by the table.`,
      });
    }
  }

  private watchQueue({ definition, queue, deadLetters, deadLetterWorker }: HouseQueue): void {
    this.alarm(`${definition.name}-stale`, {
      metric: queue.metricApproximateAgeOfOldestMessage(maximum),
      threshold: STALE_MESSAGE_SECONDS,
      periods: 1,
      hurts: `organizations that wait for queued work of ${definition.name}: it is more than a quarter of an hour old.`,
    });
    this.alarm(`${definition.name}-dead`, {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible(maximum),
      threshold: 0,
      periods: 1,
      hurts: `organizations whose work of ${definition.name} failed for good: nobody finishes it until it is moved back from the dead-letter queue.`,
    });
    if (deadLetterWorker) {
      this.alarm(`${definition.name}-settled`, {
        metric: deadLetterWorker.lambda.metricInvocations(sum),
        threshold: 0,
        periods: 1,
        hurts: `organizations whose work of ${definition.name} was given up: they were told that it failed, and must start it again.`,
      });
    }
  }

  private watchSchedule({ definition, handler, undelivered }: HouseSchedule): void {
    this.alarm(`${definition.name}-errors`, {
      metric: handler.lambda.metricErrors(sum),
      threshold: 0,
      periods: 3,
      hurts: `organizations that rely on ${definition.name}: it failed for a quarter of an hour, and their work is not started.`,
    });
    this.alarm(`${definition.name}-undelivered`, {
      metric: undelivered.metricApproximateNumberOfMessagesVisible(maximum),
      threshold: 0,
      periods: 1,
      hurts: `organizations that rely on ${definition.name}: EventBridge could not start it.`,
    });
  }

  private alarm(id: string, props: Omit<HouseAlarmProps, 'topic'>): void {
    new HouseAlarm(this, id, { ...props, topic: this.topic });
  }
}

function tableMetric(table: ITableV2, metricName: string, indexName?: string): Metric {
  const dimensionsMap = { TableName: table.tableName, ...(indexName && { GlobalSecondaryIndexName: indexName }) };
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, ...sum });
}

/**
 * Refused calls of a kind, of the table and of all its indexes: a throttled index refuses the table's writes too. One alarm takes ten
 * metrics at most, which is why reads and writes have one each.
 */
function throttles(table: ITableV2, kind: 'Read' | 'Write'): IMetric {
  const targets = [undefined, ...tableDefinition.indexes.map(({ name }) => name)];
  const metrics = targets.map((indexName) => tableMetric(table, `${kind}ThrottleEvents`, indexName));
  const usingMetrics = Object.fromEntries(
    metrics.map((metric, position) => [`${kind.toLowerCase()}${position}`, metric]),
  );
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label: `Throttled: ${kind.toLowerCase()}s`, period: PERIOD });
}

const HALF_WIDTH = 12;

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, width: HALF_WIDTH });
}

function apiWidgets(api: HttpApi): IWidget[] {
  return [
    graph('Requests', [api.metricCount(sum)], [api.metricClientError(sum), api.metricServerError(sum)]),
    graph(
      'Latency',
      ['p50', 'p99'].map((statistic) => api.metricLatency({ statistic, period: PERIOD })),
    ),
  ];
}

function tableWidgets(table: ITableV2): IWidget[] {
  return [
    graph('Table: consumed units', [
      tableMetric(table, 'ConsumedReadCapacityUnits'),
      tableMetric(table, 'ConsumedWriteCapacityUnits'),
    ]),
    graph('Table: throttled', [throttles(table, 'Read'), throttles(table, 'Write')]),
  ];
}

function queueWidgets({ definition, queue, deadLetters }: HouseQueue): IWidget[] {
  return [
    graph(`Queue ${definition.name}: messages`, [
      queue.metricApproximateNumberOfMessagesVisible(maximum),
      deadLetters.metricApproximateNumberOfMessagesVisible(maximum),
    ]),
    graph(`Queue ${definition.name}: age of the oldest`, [queue.metricApproximateAgeOfOldestMessage(maximum)]),
  ];
}

function functionWidgets(prefix: string): IWidget[] {
  return [functionSearch('Errors', 'Sum', prefix), functionSearch('Duration', 'p99', prefix)];
}

/** All functions in one graph, found by their names, so that a new endpoint is in it by itself. */
function functionSearch(metricName: string, statistic: string, prefix: string): IWidget {
  const expression = `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" FunctionName="${prefix}-"', '${statistic}', ${PERIOD.toSeconds()})`;
  return graph(`Functions: ${metricName}`, [new MathExpression({ expression, label: '', period: PERIOD })]);
}
