import { logger } from '#shared/runtime/logger.ts';
import { onResponse, requestIdOf, type Step } from './exchange.ts';

/** One line for each request: what was called, by whom, and how it ended. Nothing that the caller sent is in it. */
export function requestLog(operationId: string): Step {
  return onResponse((request, response) => {
    const { now, principal, problemCode } = request.internal;
    logger.info('request', {
      operationId,
      route: request.event.routeKey,
      requestId: requestIdOf(request),
      status: response.statusCode ?? 200,
      problem: problemCode,
      durationMilliseconds: Date.now() - now.getTime(),
      organizationId: principal?.organizationId,
      keyId: principal?.keyId,
    });
  });
}
