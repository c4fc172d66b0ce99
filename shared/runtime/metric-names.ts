/**
 * The metric names that the functions write, and that the dashboard and the alarms read.
 *
 * CloudWatch charges $0.30 a month for each name under each value of its dimension, for the hours in which it is
 * used. So a metric has one dimension, whose values are the rows of a table of the service, and never an
 * organization, a key or an id. What AWS measures free of charge is not measured again: invocations, errors and
 * duration of a function, units of the table, ages of messages. Each event is one metric: the number of samples of
 * `Duration` also counts the successes.
 */

/** The value that Powertools adds to every metric. */
export const SERVICE = 'billwright';

export type MetricDimension = 'operation' | 'queue' | 'schedule';

/**
 * Milliseconds that a successful request, message or scheduled run took. Without a dimension: all requests except
 * those that wait for others by their nature.
 */
export const DURATION = 'Duration';

/** Requests answered with a status of 400 to 499. */
export const CLIENT_ERRORS = 'ClientErrors';

/** Requests answered with a status of 500 or more because of us. */
export const SERVER_ERRORS = 'ServerErrors';

/** Requests answered with a status of 500 or more because the provider failed, or refused a connection's credential. */
export const PROVIDER_ERRORS = 'ProviderErrors';

/** Deliveries of messages that failed. Each message is delivered again, or goes to the dead-letter queue. */
export const FAILURES = 'Failures';

/** Counters of the service as a whole: events that somebody must be told of, and that nothing else shows. */
export const COUNTERS = ['StuckImportJobs', 'SyncFailures'] as const;

export type Counter = (typeof COUNTERS)[number];
