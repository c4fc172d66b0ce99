/**
 * CloudWatch charges for each name under each value of its dimension: a dimension is a table of the service, never an
 * organization, a key or an id. Figures that AWS measures free of charge are not repeated.
 */

/** Powertools adds it to every metric. */
export const SERVICE = 'billwright';

export type MetricDimension = 'operation' | 'queue';

/** Milliseconds of a success. Excludes operations that wait for a provider or worker. */
export const DURATION = 'Duration';

export const CLIENT_ERRORS = 'ClientErrors';

export const SERVER_ERRORS = 'ServerErrors';

/** Failures of the provider, and refused credentials of connections. */
export const PROVIDER_ERRORS = 'ProviderErrors';

export const FAILURES = 'Failures';

/** Requests that an instance started for: Lambda counts no starts free of charge. */
export const COLD_STARTS = 'ColdStarts';

/** Requests that the gateway itself answered with 429: its own metric has all 4xx alike. */
export const REFUSED_REQUESTS = 'RefusedRequests';

/** Events that only a metric shows. */
export const COUNTERS = ['StuckImportJobs', 'SyncFailures'] as const;

export type Counter = (typeof COUNTERS)[number];
