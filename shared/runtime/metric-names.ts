/**
 * The names under which the functions count, and under which the dashboard and the alarms look.
 *
 * CloudWatch takes $0.30 a month for each name under each value of its dimension, in the hours in which it is used. So a metric has one
 * dimension, whose values are the rows of a table of the service, and never an organization, a key or an id. What AWS measures free of
 * charge (invocations, errors and duration of a function, units of the table, ages of messages) is not measured again; and each event is one
 * metric: `Duration` also counts what succeeded, by the number of its samples.
 */

/** What Powertools adds to every metric. */
export const SERVICE = 'billwright';

export type MetricDimension = 'operation' | 'queue' | 'schedule';

/**
 * Milliseconds that a request, a message or a scheduled run took, where it succeeded. Without a dimension, of all requests that do not wait
 * for others by their nature.
 */
export const DURATION = 'Duration';

/** Requests that were answered with a status of 400 to 499. */
export const CLIENT_ERRORS = 'ClientErrors';

/** Requests that were answered with a status of 500 or more because of us. */
export const SERVER_ERRORS = 'ServerErrors';

/** Requests that were answered with a status of 500 or more because the provider failed, or refused the credential of a connection. */
export const PROVIDER_ERRORS = 'ProviderErrors';

/** Deliveries of messages that failed; each is delivered again, or goes to the dead-letter queue. */
export const FAILURES = 'Failures';

/** The service as a whole: what somebody must be told of, and nothing else shows. */
export const COUNTERS = ['StuckImportJobs', 'SyncFailures'] as const;

export type Counter = (typeof COUNTERS)[number];
