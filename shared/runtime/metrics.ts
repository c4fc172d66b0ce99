import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  CLIENT_ERRORS,
  type Counter,
  DURATION,
  FAILURES,
  type MetricDimension,
  PROVIDER_ERRORS,
  SERVER_ERRORS,
} from './metric-names.ts';

/**
 * Metrics are log lines that CloudWatch reads (embedded metric format), so they need no call and no permission. The
 * namespace is the deployment's name, which comes from the environment (`POWERTOOLS_METRICS_NAMESPACE`). Each line
 * is written at once and in one go. So the line is out even if the function stops right after, and concurrent
 * requests of a test do not mix.
 */
const emf = new Metrics();

interface AnsweredRequest {
  /** `operationId` of the endpoint */
  readonly operation: string;
  readonly status: number;
  /** Whether the provider caused the failure. */
  readonly isOfProvider: boolean;
  readonly durationMilliseconds: number;
  /** Whether the operation waits for others by its nature, so its duration does not show how fast the service is. */
  readonly waits: boolean;
}

export const metrics = {
  request({ operation, status, isOfProvider, durationMilliseconds, waits }: AnsweredRequest): void {
    const dimensions = { operation };
    if (status >= 500 && isOfProvider) write(PROVIDER_ERRORS, COUNT, 1, [WHOLE_SERVICE]);
    else if (status >= 500) write(SERVER_ERRORS, COUNT, 1, [dimensions]);
    else if (status >= 400) write(CLIENT_ERRORS, COUNT, 1, [dimensions]);
    else write(DURATION, MILLISECONDS, durationMilliseconds, waits ? [dimensions] : [dimensions, WHOLE_SERVICE]);
  },

  /** @param queue its name in the cloud */
  message(queue: string, isDone: boolean, durationMilliseconds: number): void {
    if (isDone) write(DURATION, MILLISECONDS, durationMilliseconds, [{ queue }]);
    else write(FAILURES, COUNT, 1, [{ queue }]);
  },

  /** A scheduled run that succeeded. Lambda counts the runs that fail. */
  run(schedule: string, durationMilliseconds: number): void {
    write(DURATION, MILLISECONDS, durationMilliseconds, [{ schedule }]);
  },

  /** An event that happened this many times. Nothing is written for zero: silence means health, and costs nothing. */
  count(name: Counter, times: number): void {
    if (times > 0) write(name, COUNT, times, [WHOLE_SERVICE]);
  },
};

const { Count: COUNT, Milliseconds: MILLISECONDS } = MetricUnit;

type Dimensions = Readonly<Partial<Record<MetricDimension, string>>>;

const WHOLE_SERVICE: Dimensions = {};

/** @param dimensions the metric is added under each of them; the name of the service is a dimension of all */
function write(
  name: string,
  unit: typeof COUNT | typeof MILLISECONDS,
  value: number,
  dimensions: readonly Dimensions[],
): void {
  for (const each of dimensions) emf.addDimensions(each);
  emf.addMetric(name, unit, value).publishStoredMetrics();
}
