import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic as SnsTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from '#infra/config.ts';
import { HouseAlarm, type HouseAlarmProps } from '#infra/constructs/house-alarm.ts';
import { HouseDashboard } from '#infra/constructs/house-dashboard.ts';
import type { HouseQueue } from '#infra/constructs/house-queue.ts';
import type { HouseSchedule } from '#infra/constructs/house-schedule.ts';
import {
  claimedConcurrency,
  coldShare,
  counterMetric,
  failedSyncShare,
  functionMetric,
  maximum,
  ownFailures,
  PERIOD,
  p99,
  queueMetric,
  refusedRequests,
  serviceMetric,
  sum,
  throttles,
} from '#infra/metrics.ts';
import { accessLogName, fifoName } from '#infra/platform.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { DURATION, REFUSED_REQUESTS } from '#shared/runtime/metric-names.ts';

export interface ObservabilityStackProps {
  readonly config: Config;
  readonly routes: readonly Endpoint[];
  readonly table: ITableV2;
  readonly api: HttpApi;
  readonly queues: readonly HouseQueue[];
  readonly schedules: readonly HouseSchedule[];
}

/** The attention of a person who waits. */
const SLOW_REQUEST_MILLISECONDS = 3_000;

/** Queued work takes seconds. */
const STALE_MESSAGE_SECONDS = 15 * 60;

/** Missed runs in a row. */
const SILENT_TICKS = 3;

type AlarmProps = Omit<HouseAlarmProps, 'topic' | 'name'>;

/** Shares of the functions that the account may run at once, and of the requests that wait for a start, in percent. */
const NEARLY_ALL = 80;
const MOST = 50;

/** Each alarm needs action now, because somebody is hurt. */
export class ObservabilityStack extends Stack {
  private readonly topic: Topic;
  private readonly prefix: string;
  private readonly alarms: HouseAlarm[] = [];

  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    const { config, table, api, queues, schedules } = props;
    super(scope, id, { description: 'Billwright: dashboard and alarms' });
    this.prefix = config.prefix;
    this.topic = this.alarmTopic(config);
    this.watchRequests(api);
    this.watchLimits(config);
    this.watchTable(table);
    for (const queue of queues) this.watchQueue(queue);
    for (const schedule of schedules) this.watchSchedule(schedule);
    this.watchRemoteWork();
    if (config.backups) this.watchBackups();
    new HouseDashboard(this, { ...props, prefix: config.prefix, alarms: this.alarms });
  }

  private alarmTopic({ alarmEmail }: Config): Topic {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    /** A topic with its own policy loses the default one, by which alarms of the account may publish. */
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

  private watchRequests(api: HttpApi): void {
    this.alarm('server-errors', {
      metric: ownFailures(api, this.prefix),
      threshold: 5,
      periods: 1,
      hurts: 'callers of the API: more than five requests in five minutes failed on our side.',
      section: 'server-errors',
    });
    this.alarm('repeated-errors', {
      metric: ownFailures(api, this.prefix, Duration.minutes(30)),
      threshold: 0,
      periods: 3,
      outOf: 16,
      hurts: 'callers of the API: in three of the half hours of a working day, requests failed on our side.',
      section: 'server-errors',
    });
    this.alarm('slow-requests', {
      metric: serviceMetric(this.prefix, DURATION, {}, p99),
      threshold: SLOW_REQUEST_MILLISECONDS,
      periods: 3,
      hurts:
        'callers of the API: for a quarter of an hour, one request in a hundred took more than three seconds, those apart that wait for a provider.',
      section: 'slow-requests',
    });
    this.alarm('cold-starts', {
      metric: coldShare(api, this.prefix),
      threshold: MOST,
      periods: 3,
      hurts: 'callers of the API: for a quarter of an hour, most of many requests waited for a function to start.',
      section: 'cold-starts',
    });
  }

  private watchLimits({ accountConcurrency }: Config): void {
    this.countRefusedRequests();
    this.alarm('refused-requests', {
      metric: refusedRequests(this.prefix),
      threshold: 0,
      periods: 2,
      hurts: 'callers of the API: for ten minutes, the stage has refused requests with 429, whoever sent them.',
      section: 'refused-requests',
    });
    this.alarm('concurrency', {
      metric: claimedConcurrency(),
      threshold: (accountConcurrency * NEARLY_ALL) / 100,
      periods: 2,
      hurts: 'callers of the API soon: the account runs four fifths of the functions that it may run at once.',
      section: 'function-throttles',
    });
    this.alarm('function-throttles', {
      /** The metric of the whole account, whose concurrency functions share. */
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...sum }),
      threshold: 0,
      periods: 2,
      hurts: 'callers of the API: the account runs as many functions as it may, and refuses the rest.',
      section: 'function-throttles',
    });
  }

  /** An answer of a function has a latency of it. */
  private countRefusedRequests(): void {
    new MetricFilter(this, 'RefusedRequests', {
      logGroup: LogGroup.fromLogGroupName(this, 'AccessLogs', accessLogName(this.prefix)),
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '429'),
        FilterPattern.stringValue('$.functionLatencyMilliseconds', '=', '-'),
      ),
      metricNamespace: this.prefix,
      metricName: REFUSED_REQUESTS,
    });
  }

  private watchTable(table: ITableV2): void {
    for (const kind of ['Read', 'Write'] as const) {
      this.alarm(`table-${kind.toLowerCase()}-throttles`, {
        metric: throttles(table, kind),
        threshold: 0,
        periods: 2,
        hurts: `organizations whose partition is too hot: their ${kind.toLowerCase()}s are refused or retried by the table.`,
        section: 'table-throttles',
      });
    }
  }

  private watchQueue({ definition, queueName, deadLettersName, deadLetterWorker }: HouseQueue): void {
    this.alarm(`${definition.name}-stale`, {
      metric: queueMetric(queueName, 'ApproximateAgeOfOldestMessage', maximum),
      threshold: STALE_MESSAGE_SECONDS,
      periods: 1,
      hurts: `organizations that wait for queued work of ${definition.name}: it is more than a quarter of an hour old.`,
      section: 'stale-queues',
    });
    this.alarm(`${definition.name}-dead`, {
      metric: queueMetric(deadLettersName, 'ApproximateNumberOfMessagesVisible', maximum),
      threshold: 0,
      periods: 1,
      hurts: deadLetterWorker
        ? `organizations whose work of ${definition.name} failed for good: its worker, and what should have closed it, did not get it done.`
        : `organizations whose work of ${definition.name} its worker did not get done: it is late, until a schedule has it done again.`,
      section: 'dead-letters',
    });
    if (deadLetterWorker) {
      this.alarm(`${definition.name}-abandoned`, {
        metric: functionMetric(deadLetterWorker.functionName, 'Invocations', sum),
        threshold: 0,
        periods: 1,
        hurts: `organizations whose work of ${definition.name} was given up: they were told that it failed, and must start it again.`,
        section: 'abandoned-work',
      });
    }
  }

  private watchSchedule({ definition, handler, undeliveredName }: HouseSchedule): void {
    this.alarm(`${definition.name}-errors`, {
      metric: functionMetric(handler.functionName, 'Errors', sum),
      threshold: 0,
      periods: 3,
      hurts: `organizations that rely on ${definition.name}: it failed for a quarter of an hour, and their work is not started.`,
      section: 'failing-schedules',
    });
    this.alarm(`${definition.name}-undelivered`, {
      metric: queueMetric(undeliveredName, 'ApproximateNumberOfMessagesVisible', maximum),
      threshold: 0,
      periods: 1,
      hurts: `organizations that rely on ${definition.name}: EventBridge could not start it.`,
      section: 'undelivered-schedules',
    });
    this.alarm(`${definition.name}-silent`, {
      metric: functionMetric(handler.functionName, 'Invocations', sum),
      threshold: 1,
      periods: Math.ceil((SILENT_TICKS * definition.everyMinutes) / PERIOD.toMinutes()),
      fearsSilence: true,
      hurts: `organizations that rely on ${definition.name}: it has not run for ${SILENT_TICKS * definition.everyMinutes} minutes.`,
      section: 'silent-schedules',
    });
  }

  private watchRemoteWork(): void {
    this.alarm('stuck-import-jobs', {
      metric: counterMetric(this.prefix, 'StuckImportJobs', sum),
      threshold: 0,
      periods: 1,
      hurts:
        'organizations that wait for an import: its job had to be closed as failed, since nobody was going to finish it.',
      section: 'stuck-import-jobs',
    });
    this.alarm('sync-failures', {
      metric: failedSyncShare(this.prefix, fifoName(this.prefix, 'syncs')),
      threshold: MOST,
      periods: 3,
      hurts: 'organizations that rely on scheduled imports: for three hours, the provider has failed most of them.',
      section: 'sync-failures',
    });
  }

  /** AWS Backup tells nobody but the event bus. The events of all stages of the account come here. */
  private watchBackups(): void {
    const failures = new Rule(this, 'FailedBackups', {
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: { state: ['ABORTED', 'EXPIRED', 'FAILED'] },
      },
      targets: [new SnsTarget(this.topic)],
    });
    Validations.of(failures).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'EventBridge tries for a day, and the runbook has a command that shows the copies.',
    });
  }

  private alarm(id: string, props: AlarmProps): void {
    this.alarms.push(new HouseAlarm(this, id, { ...props, name: `${this.prefix}-${id}`, topic: this.topic }));
  }
}
