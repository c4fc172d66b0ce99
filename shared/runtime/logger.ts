import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Structured logs. A log line holds ids, names of operations, statuses and durations, but never a header, a body or
 * a key. Service name and level come from the environment (`POWERTOOLS_SERVICE_NAME`, `LOG_LEVEL`).
 */
export const logger = new Logger();
