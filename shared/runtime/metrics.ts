import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import {
  CLIENT_ERRORS,
  COLD_STARTS,
  type Counter,
  DURATION,
  FAILURES,
  type MetricDimension,
  PROVIDER_ERRORS,
  SERVER_ERRORS,
} from './metric-names.ts';

/**
 * CloudWatch reads metrics from log lines (embedded metric format). Each line is written at once and in one go: it is
 * out even if the function stops right after, and concurrent requests do not mix.
 */
const emf = new Metrics();

interface AnsweredRequest {
  readonly operation: string;
  readonly status: number;
  readonly isOfProvider: boolean;
  readonly durationMilliseconds: number;
  readonly waits: boolean;
}

export const metrics = {
  request({ operation, status, isOfProvider, durationMilliseconds, waits }: AnsweredRequest): void {
    const dimensions = { operation };
    if (status >= 500 && isOfProvider) write(PROVIDER_ERRORS, COUNT, 1, WHOLE_SERVICE);
    else if (status >= 500) write(SERVER_ERRORS, COUNT, 1, dimensions);
    else if (status >= 400) write(CLIENT_ERRORS, COUNT, 1, dimensions);
    else if (!waits) write(DURATION, MILLISECONDS, durationMilliseconds, WHOLE_SERVICE);
  },

  coldStart(): void {
    write(COLD_STARTS, COUNT, 1, WHOLE_SERVICE);
  },

  message(queue: string, isDone: boolean, durationMilliseconds: number): void {
    if (isDone) write(DURATION, MILLISECONDS, durationMilliseconds, { queue });
    else write(FAILURES, COUNT, 1, { queue });
  },

  /** Zero is not written: silence means health, and costs nothing. */
  count(name: Counter, times: number): void {
    if (times > 0) write(name, COUNT, times, WHOLE_SERVICE);
  },
};

const { Count: COUNT, Milliseconds: MILLISECONDS } = MetricUnit;

const WHOLE_SERVICE = {};

function write(
  name: string,
  unit: typeof COUNT | typeof MILLISECONDS,
  value: number,
  dimensions: Readonly<Partial<Record<MetricDimension, string>>>,
): void {
  emf.addDimensions(dimensions);
  emf.addMetric(name, unit, value).publishStoredMetrics();
}
