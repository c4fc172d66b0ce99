import { Logger } from '@aws-lambda-powertools/logger';

/** Logs hold ids, operations, statuses and durations, never a header, a body or a key. */
export const logger = new Logger();
