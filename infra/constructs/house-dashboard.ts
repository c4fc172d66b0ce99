import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
  type MetricOptions,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { STAGES } from '#infra/config.ts';
import {
  counterMetric,
  functionMetric,
  maximum,
  PERIOD,
  p99,
  queueMetric,
  samples,
  serviceMetric,
  sum,
  tableMetric,
  throttles,
} from '#infra/metrics.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { CLIENT_ERRORS, COUNTERS, DURATION, FAILURES, SERVER_ERRORS } from '#shared/runtime/metric-names.ts';
import type { HouseQueue } from './house-queue.ts';
import type { HouseSchedule } from './house-schedule.ts';

export interface HouseDashboardProps {
  readonly prefix: string;
  readonly routes: readonly Endpoint[];
  readonly api: HttpApi;
  readonly table: ITableV2;
  readonly queues: readonly HouseQueue[];
  readonly schedules: readonly HouseSchedule[];
  readonly alarms: readonly IAlarm[];
}

const FULL_WIDTH = 24;

/** From the top down: alarms, callers, then each area and each part of the machinery. */
export class HouseDashboard extends Dashboard {
  constructor(scope: Construct, props: HouseDashboardProps) {
    const areas = Map.groupBy(props.routes, ({ area }) => area);
    super(scope, 'Dashboard', {
      dashboardName: props.prefix,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms], width: FULL_WIDTH, height: 3 })],
        ...section('Business', businessWidgets(props)),
        ...section('API', apiWidgets(props.api)),
        ...[...areas].flatMap(([area, routes]) => section(`Area: ${area}`, areaWidgets(props.prefix, routes))),
        ...section('Table', tableWidgets(props.table)),
        ...props.queues.flatMap((queue) => section(`Queue: ${queue.definition.name}`, queueWidgets(props, queue))),
        ...section('Schedules', scheduleWidgets(props)),
        ...section('Functions', functionWidgets(props.prefix)),
      ],
    });
  }
}

function section(title: string, widgets: readonly GraphWidget[]): IWidget[][] {
  if (widgets.length === 0) return [];
  return [[new TextWidget({ markdown: `## ${title}`, width: FULL_WIDTH, height: 1 })], [...widgets]];
}

/** @param columns graphs side by side */
function graph(columns: 2 | 3, title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, width: FULL_WIDTH / columns });
}

/** POSTs are the actions that callers want: create, start, stop, send and import. */
function businessWidgets({ prefix, routes }: HouseDashboardProps): GraphWidget[] {
  const actions = routes.filter(({ method }) => method === 'POST');
  return [
    graph(2, 'Done for callers', byOperation(prefix, actions, DURATION, samples)),
    graph(
      2,
      'Not done for callers',
      COUNTERS.map((name) => counterMetric(prefix, name, sum)),
    ),
  ];
}

function byOperation(
  prefix: string,
  routes: readonly Endpoint[],
  metricName: string,
  options: MetricOptions,
): IMetric[] {
  return routes.map(({ operationId: operation }) =>
    serviceMetric(prefix, metricName, { operation }, { ...options, label: operation }),
  );
}

function apiWidgets(api: HttpApi): GraphWidget[] {
  return [
    graph(2, 'Requests', [api.metricCount(sum)], [api.metricClientError(sum), api.metricServerError(sum)]),
    graph(
      2,
      'Latency',
      ['p50', 'p99'].map((statistic) => api.metricLatency({ statistic, period: PERIOD })),
    ),
  ];
}

function areaWidgets(prefix: string, routes: readonly Endpoint[]): GraphWidget[] {
  return [
    graph(3, 'Succeeded', byOperation(prefix, routes, DURATION, samples)),
    graph(3, 'Duration, p99', byOperation(prefix, routes, DURATION, p99)),
    graph(
      3,
      'Failed: the caller (left), we (right)',
      byOperation(prefix, routes, CLIENT_ERRORS, sum),
      byOperation(prefix, routes, SERVER_ERRORS, sum),
    ),
  ];
}

function tableWidgets(table: ITableV2): GraphWidget[] {
  return [
    graph(2, 'Consumed units', [
      tableMetric(table, 'ConsumedReadCapacityUnits'),
      tableMetric(table, 'ConsumedWriteCapacityUnits'),
    ]),
    graph(2, 'Throttled', [throttles(table, 'Read'), throttles(table, 'Write')]),
  ];
}

function queueWidgets({ prefix }: HouseDashboardProps, { queueName, deadLettersName }: HouseQueue): GraphWidget[] {
  return [
    graph(3, 'Messages', [
      queueMetric(queueName, 'ApproximateNumberOfMessagesVisible', maximum),
      queueMetric(deadLettersName, 'ApproximateNumberOfMessagesVisible', { ...maximum, label: 'dead letters' }),
    ]),
    graph(3, 'Age of the oldest', [queueMetric(queueName, 'ApproximateAgeOfOldestMessage', maximum)]),
    graph(
      3,
      'Handled, and failed deliveries',
      [serviceMetric(prefix, DURATION, { queue: queueName }, samples)],
      [serviceMetric(prefix, FAILURES, { queue: queueName }, sum)],
    ),
  ];
}

function scheduleWidgets({ prefix, schedules }: HouseDashboardProps): GraphWidget[] {
  if (schedules.length === 0) return [];
  const errors = schedules.map(({ definition, handler }) =>
    functionMetric(handler.functionName, 'Errors', { ...sum, label: definition.name }),
  );
  const durations = schedules.map(({ definition: { name: schedule } }) =>
    serviceMetric(prefix, DURATION, { schedule }, { ...maximum, label: schedule }),
  );
  return [graph(2, 'Duration', durations), graph(2, 'Failed runs', errors)];
}

function functionWidgets(prefix: string): GraphWidget[] {
  return [
    functionSearch('Errors', 'Sum', prefix),
    functionSearch('Throttles', 'Sum', prefix),
    functionSearch('Duration', 'p99', prefix),
  ];
}

/** A search by words, since a quoted name must match entirely. Production's words are in the names of all stages. */
function nameTerms(prefix: string): string {
  const others = STAGES.filter((stage) => !prefix.endsWith(stage)).map((stage) => `NOT ${stage}`);
  return [...prefix.split('-'), ...others].join(' AND ').replaceAll('AND NOT', 'NOT');
}

/** A search finds new functions by itself. */
function functionSearch(metricName: string, statistic: string, prefix: string): GraphWidget {
  const expression = `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" FunctionName=(${nameTerms(prefix)})', '${statistic}', ${PERIOD.toSeconds()})`;
  return graph(3, metricName, [new MathExpression({ expression, label: '', period: PERIOD })]);
}
