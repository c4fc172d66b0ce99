import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { notAMember } from '#shared/domain/person.ts';
import { overloaded, PROBLEMS, Problem } from '#shared/domain/problems.ts';
import { logger } from '#shared/runtime/logger.ts';
import { AlreadyAnswered, type HttpResponse, requestIdOf, type Step } from './exchange.ts';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

export function problemResponse(problem: Problem, requestId: string): HttpResponse {
  const { title, kind: usual } = PROBLEMS[problem.code];
  const { detail, kind = usual, errors, extensions, headers } = problem.details;
  const status = STATUS_OF_KIND[kind];
  const document = {
    type: `/problems/${problem.code}`,
    title,
    status,
    detail,
    code: problem.code,
    requestId,
    errors,
    ...extensions,
  };
  return {
    statusCode: status,
    headers: { 'content-type': PROBLEM_CONTENT_TYPE, ...headers },
    body: JSON.stringify(document),
  };
}

/** An error that is not in the catalogue is logged and becomes a bare 500. */
export function problems(): Step {
  return {
    onError: (request) => {
      if (request.error instanceof AlreadyAnswered) {
        request.response = request.error.response;
        return;
      }
      const problem = asProblem(request.error);
      if (problem.code === 'internal_error') logger.error('unexpected failure', request.error as Error);
      else if (problem !== request.error) logger.warn('overloaded', request.error as Error);
      const told = toCaller(problem, request.internal.principal);
      request.internal.problemCode = told.code;
      request.response = problemResponse(told, requestIdOf(request));
    },
  };
}

/** The token of a person outlives its user: to sign in again would not help. */
function toCaller(problem: Problem, principal: Principal | undefined): Problem {
  return problem.code === 'unauthenticated' && principal?.keyId === null ? notAMember() : problem;
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return isOverload(error)
    ? overloaded()
    : new Problem('internal_error', {
        detail: 'Something failed that should not have, and was logged under this request id.',
      });
}

/** Names and codes of failures that a caller may wait out. They arrive here after the SDK's own retries. */
const OVERLOADS: ReadonlySet<unknown> = new Set([
  'DeadlineExceeded',
  'DependencyTimeoutException',
  'InternalFailure',
  'InternalServerError',
  'KMSInternalException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ERR_WORKER_OUT_OF_MEMORY',
  'ETIMEDOUT',
]);

function isOverload(error: unknown): boolean {
  return error instanceof Error && (OVERLOADS.has(error.name) || ('code' in error && OVERLOADS.has(error.code)));
}
