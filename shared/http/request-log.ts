import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';
import { onResponse, requestIdOf, type Step } from './exchange.ts';

const loadedAt = Date.now();

/** Lambda gives code ten seconds to load: an instance with a later first request has not started for it. */
const START_MILLISECONDS = 10_000;

let isUsed = false;

/** The line contains nothing that the caller sent. */
export function requestLog(operationId: string, waits: boolean): Step {
  return onResponse((request, response) => {
    const { now, principal, problemCode } = request.internal;
    const status = response.statusCode;
    const durationMilliseconds = Date.now() - now.getTime();
    logger.info('request', {
      operationId,
      route: request.event.routeKey,
      requestId: requestIdOf(request),
      status,
      problem: problemCode,
      durationMilliseconds,
      organizationId: principal?.organizationId,
      keyId: principal?.keyId,
      userId: principal?.userId,
    });
    const isOfProvider = problemCode?.startsWith('remote_') ?? false;
    if (!isUsed && now.getTime() - loadedAt < START_MILLISECONDS) metrics.coldStart();
    isUsed = true;
    metrics.request({ operation: operationId, status, isOfProvider, durationMilliseconds, waits });
  });
}
