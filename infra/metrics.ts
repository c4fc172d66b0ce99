import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import {
  COLD_STARTS,
  type Counter,
  DURATION,
  type MetricDimension,
  PROVIDER_ERRORS,
  REFUSED_REQUESTS,
  SERVICE,
} from '#shared/runtime/metric-names.ts';

export const PERIOD = Duration.minutes(5);

export const sum: MetricOptions = { statistic: 'Sum', period: PERIOD };

export const maximum: MetricOptions = { statistic: 'Maximum', period: PERIOD };

export const p99: MetricOptions = { statistic: 'p99', period: PERIOD };

/** Counts measurements: for durations, successes. */
export const samples: MetricOptions = { statistic: 'SampleCount', period: PERIOD };

type Dimensions = Readonly<Partial<Record<MetricDimension, string>>>;

/** A metric of `shared/runtime/metrics.ts`. @param namespace the prefix of the deployment */
export function serviceMetric(
  namespace: string,
  metricName: string,
  dimensions: Dimensions,
  options: MetricOptions,
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap: { service: SERVICE, ...dimensions }, ...options });
}

export function counterMetric(namespace: string, name: Counter, options: MetricOptions): Metric {
  return serviceMetric(namespace, name, {}, options);
}

/** Answers with a 5xx, crashes included, without failures of the provider. */
export function ownFailures(api: HttpApi, namespace: string, period = PERIOD): IMetric {
  const options = { ...sum, period };
  const usingMetrics = {
    failed: api.metricServerError(options),
    ofProvider: serviceMetric(namespace, PROVIDER_ERRORS, {}, options),
  };
  const expression = 'FILL(failed, 0) - FILL(ofProvider, 0)';
  return new MathExpression({ expression, usingMetrics, label: 'Failed on our side', period });
}

/** A share of few requests says nothing. */
const LEAST_REQUESTS = 100;

export function coldShare(api: HttpApi, namespace: string): IMetric {
  const usingMetrics = { answered: api.metricCount(sum), cold: serviceMetric(namespace, COLD_STARTS, {}, sum) };
  const expression = `IF(answered > ${LEAST_REQUESTS}, 100 * FILL(cold, 0) / answered, 0)`;
  return new MathExpression({ expression, usingMetrics, label: 'Waited for a start, %', period: PERIOD });
}

/** The share of an hour's syncs that the provider failed, in percent. */
export function failedSyncShare(namespace: string, syncQueue: string): IMetric {
  const period = Duration.hours(1);
  const usingMetrics = {
    handled: serviceMetric(namespace, DURATION, { queue: syncQueue }, { ...samples, period }),
    failed: counterMetric(namespace, 'SyncFailures', { ...sum, period }),
  };
  const expression = '100 * FILL(failed, 0) / handled';
  return new MathExpression({ expression, usingMetrics, label: 'Failed by the provider, %', period });
}

/** A metric filter counts them in the access log, and knows no dimensions. */
export function refusedRequests(namespace: string): Metric {
  return new Metric({ namespace, metricName: REFUSED_REQUESTS, ...sum });
}

/** Concurrency of the account that is in use, or set apart for one function. */
export function claimedConcurrency(): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName: 'ClaimedAccountConcurrency', ...maximum });
}

/** By its fixed name, so that stacks share no exports. */
export function queueMetric(queueName: string, metricName: QueueMetric, options: MetricOptions): Metric {
  return new Metric({ namespace: 'AWS/SQS', metricName, dimensionsMap: { QueueName: queueName }, ...options });
}

type QueueMetric = 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage';

export function functionMetric(
  functionName: string,
  metricName: 'Errors' | 'Invocations',
  options: MetricOptions,
): Metric {
  const dimensionsMap = { FunctionName: functionName };
  return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, ...options });
}

export function tableMetric(table: ITableV2, metricName: string, indexName?: string): Metric {
  const dimensionsMap = { TableName: table.tableName, ...(indexName && { GlobalSecondaryIndexName: indexName }) };
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, ...sum });
}

/**
 * A throttled index refuses the table's writes too. An alarm takes at most ten metrics, so reads and writes have one
 * each.
 */
export function throttles(table: ITableV2, kind: 'Read' | 'Write'): IMetric {
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
