import { createHash } from 'node:crypto';
import { accompany } from '#shared/data/dynamo/companion.ts';
import { answerKept, beginAttempt, giveUpAttempt, type KeptAnswer, keepAnswer } from '#shared/data/retries/attempts.ts';
import { fault, overloaded, Problem } from '#shared/domain/problems.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { Answered, type HttpRequest, type HttpResponse, header, requestIdOf, type Step } from './exchange.ts';
import { PROBLEM_CONTENT_TYPE, problemResponse } from './problem.ts';

/**
 * `Idempotency-Key`: a caller names a request, and may send it again without doing anything twice. The first answer is
 * kept under the name, and is what all repetitions get. `shared/data/retries/attempts.ts` says how this outlives crashes.
 *
 * A handler says what it will answer right before it writes (`answer`), so that its transaction keeps the answer too.
 * Refusals, and answers for which nothing is written, are kept when they are made. What the caller may overcome by
 * sending the same again is not kept.
 */

const NAME = 'Idempotency-Key';

/** Printable ASCII without spaces at the ends. */
const WELL_FORMED = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** Refusals that say nothing of the request itself. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** The first request is done within a second or two, as a rule. */
const RETRY_SECONDS = 1;

export interface Idempotency {
  /** Around all steps that may answer. */
  readonly settles: Step;
  /** Behind authentication, and before anything is read. */
  readonly begins: Step;
  /** Refuses a malformed name, among what is wrong with a request's form. */
  readonly checks: Step;
  /**
   * Lets the next transaction keep the response.
   *
   * @param isLast whether nothing else will be answered
   */
  readonly keepsWithNextWrite: (request: HttpRequest, response: HttpResponse, isLast: boolean) => void;
}

export const idempotency: Idempotency = {
  settles: { after: settle, onError: settle },
  begins: { before: begin },
  keepsWithNextWrite: keepWithNextWrite,
  checks: {
    before: (request) => {
      const key = nameOf(request);
      if (key === undefined || WELL_FORMED.test(key)) return;
      throw fault('validation_failed', NAME, 'Expected 1 to 255 printable ASCII characters, no space at the ends.');
    },
  },
};

function nameOf(request: HttpRequest): string | undefined {
  return header(request, NAME.toLowerCase());
}

async function begin(request: HttpRequest): Promise<void> {
  const key = nameOf(request);
  if (key === undefined || !WELL_FORMED.test(key)) return;
  const { principal, now } = request.internal;
  const beginning = await beginAttempt({ ...principal, key, fingerprint: fingerprintOf(request) }, now);
  switch (beginning.kind) {
    case 'begun':
      request.internal.attempt = beginning.attempt;
      return;
    case 'answered':
      throw new Answered(repetition(beginning.answer, requestIdOf(request)));
    case 'in_progress':
      throw inProgress();
    case 'reused':
      throw fault(
        'idempotency_key_reused',
        NAME,
        'Another request was sent with this key; send this one with its own.',
      );
  }
}

/** Method, path, query and body make it the same request. The body is compared as it was sent. */
function fingerprintOf({ event }: HttpRequest): string {
  const { routeKey = '', rawPath = '', rawQueryString = '', body, isBase64Encoded } = event;
  const [method] = routeKey.split(' ');
  return createHash('sha256')
    .update(JSON.stringify([method, rawPath, rawQueryString]))
    .update(Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8'))
    .digest('base64url');
}

function inProgress(): Problem {
  return new Problem('idempotency_in_progress', {
    detail: 'The first request with this key is still at work, or its function has died and will soon be given up.',
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}

/** A problem carries the id of the request that it answers. */
function repetition({ status, headers, body }: KeptAnswer, requestId: string): HttpResponse {
  const isProblem = headers['content-type'] === PROBLEM_CONTENT_TYPE;
  return {
    statusCode: status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    body: isProblem ? JSON.stringify({ ...JSON.parse(body), requestId }) : body,
  };
}

function keepWithNextWrite({ internal }: HttpRequest, response: HttpResponse, isLast: boolean): void {
  const { attempt, now } = internal;
  if (!attempt) return;
  accompany({
    item: () => answerKept(attempt, keptOf(response), { isLast, now }),
    written: () => {
      internal.kept = { response, isLast };
    },
    refused: () => {
      internal.attempt = undefined;
      return inProgress();
    },
  });
}

async function settle(request: HttpRequest): Promise<void> {
  const { attempt, kept, now } = request.internal;
  const { response } = request;
  if (!attempt || !response) return;
  if (kept?.isLast) {
    // What is kept is the answer, whatever has happened after it.
    request.response = kept.response;
    return;
  }
  const last = isKept(response) ? response : kept?.response;
  if (!last) return giveUp(request);
  try {
    await keepAnswer(attempt, keptOf(last), now);
  } catch (error) {
    logger.warn('answer is not kept', { error: asError(error) });
    request.response = kept?.response ?? problemResponse(overloaded(), requestIdOf(request));
    await giveUp(request);
  }
}

function isKept({ statusCode = 200 }: HttpResponse): boolean {
  return statusCode < 500 && !PASSING.has(statusCode);
}

/** If even this fails, the attempt ends with its lease. */
async function giveUp({ internal: { attempt } }: HttpRequest): Promise<void> {
  try {
    if (attempt) await giveUpAttempt(attempt);
  } catch (error) {
    logger.warn('attempt is left to its lease', { error: asError(error) });
  }
}

/** The id is that of each request, so it is not kept. */
function keptOf({ statusCode = 200, headers, body = '' }: HttpResponse): KeptAnswer {
  const { 'x-request-id': _, ...kept } = headers;
  return { status: statusCode, headers: kept, body };
}
