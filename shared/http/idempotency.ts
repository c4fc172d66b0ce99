import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { repetitionWeight } from '#shared/contract/weight.ts';
import {
  type Attempt,
  answerUpdate,
  beginAttempt,
  endAttempt,
  type KeptAnswer,
  keepAnswer,
  type Omission,
} from '#shared/data/idempotency/attempts.ts';
import { countKeptAnswer, MAX_KEPT_ANSWERS, secondsUntilRoom } from '#shared/data/idempotency/kept-count.ts';
import { takeSlot } from '#shared/data/idempotency/ring.ts';
import { refusing, type Write } from '#shared/data/table/transaction.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { fault, overloaded, type Problem, retryable } from '#shared/domain/problems.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { assertOwn } from './authorization.ts';
import { AlreadyAnswered, type HttpRequest, type HttpResponse, header, requestIdOf, type Step } from './exchange.ts';
import { PROBLEM_CONTENT_TYPE, problemResponse } from './problem.ts';

/**
 * `Idempotency-Key`: a caller names a request, and may send it again without doing anything twice. The first answer is
 * kept under the name, and all repetitions get it. `shared/data/idempotency/attempts.ts` says how this outlives crashes.
 *
 * A handler puts the item that keeps its answer into the transaction that makes the answer true (`answer` of a call).
 * Refusals, and answers for which nothing is written, are kept when they are made. A failure that the caller may
 * overcome by sending the same again is not kept.
 */

const NAME = 'Idempotency-Key';

/** Printable ASCII without spaces at the ends. */
const WELL_FORMED = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** Refusals of a request's form, which are cheap to find again, and those that say nothing of the request itself. */
const NOT_KEPT: ReadonlySet<number> = new Set([400, 401, 403, 408, 412, 413, 415, 429]);

export interface Idempotency {
  /** Around all steps that may answer. */
  readonly settles: Step;
  /** Behind authentication, and before anything is read. */
  readonly begins: Step;
  /** Refuses a malformed name, among what is wrong with a request's form. */
  readonly checks: Step;
  /**
   * The item that keeps the response, for the transaction that makes it true; none for a request without a name.
   *
   * @param isLast whether nothing else will be answered
   */
  readonly keeping: (request: HttpRequest, response: HttpResponse, isLast: boolean) => Promise<readonly Write[]>;
}

export function idempotency(endpoint: Endpoint, omission?: Omission): Idempotency {
  const settles = (request: HttpRequest) => settle(request, omission);
  return {
    settles: { after: settles, onError: settles },
    begins: { before: (request) => begin(request, endpoint, omission) },
    checks: { before: assertWellFormed },
    keeping: (request, response, isLast) => keeping(request, keptOf(response, omission), isLast),
  };
}

function assertWellFormed(request: HttpRequest): void {
  const key = nameOf(request);
  if (key === undefined || WELL_FORMED.test(key)) return;
  throw fault('validation_failed', NAME, 'Expected 1 to 255 printable ASCII characters, no space at the ends.');
}

function nameOf(request: HttpRequest): string | undefined {
  return header(request, NAME.toLowerCase());
}

async function begin(request: HttpRequest, endpoint: Endpoint, omission: Omission | undefined): Promise<void> {
  const key = nameOf(request);
  if (key === undefined || !WELL_FORMED.test(key)) return;
  const { principal, now } = request.internal;
  const [beginning, fullSeconds] = await Promise.all([
    beginAttempt({ ...principal, key, fingerprint: fingerprintOf(request) }, now),
    secondsUntilRoom(principal, now),
  ]);
  switch (beginning.kind) {
    case 'begun':
      if (fullSeconds > 0) {
        await endAttempt(beginning.attempt);
        throw tooManyKept(fullSeconds);
      }
      request.internal.attempt = beginning.attempt;
      return;
    case 'answered': {
      const answer = await wholeOf(beginning.answer, principal, omission);
      // An admin who has acted for another user may be a member by now.
      if (!isProblem(answer)) assertOwn(endpoint, principal, JSON.parse(answer.body).data);
      await request.internal.charge?.(repetitionWeight(Buffer.byteLength(answer.body)));
      throw new AlreadyAnswered(repetition(answer, requestIdOf(request)));
    }
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

/** The first request is done within a second or two, as a rule. */
function inProgress(): Problem {
  return retryable(
    'idempotency_in_progress',
    'The first request with this key is still at work, or its function has died and will soon be given up.',
  );
}

function tooManyKept(seconds: number): Problem {
  return retryable(
    'too_many_kept_answers',
    `The last ${MAX_KEPT_ANSWERS} answers to keys of this user are kept for 24 hours; try again in ${seconds} s, or without a key.`,
    seconds,
  );
}

/** A problem carries the id of the request that it answers. */
function repetition(answer: KeptAnswer, requestId: string): HttpResponse {
  const { status, headers, body } = answer;
  return {
    statusCode: status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    body: isProblem(answer) ? JSON.stringify({ ...JSON.parse(body), requestId }) : body,
  };
}

async function keeping({ internal }: HttpRequest, kept: KeptAnswer, isLast: boolean): Promise<Write[]> {
  const { attempt, now } = internal;
  if (!attempt) return [];
  internal.keepsLastAnswer = isLast;
  return [refusing(await answerUpdate(attempt, kept, { isLast, now }), inProgress)];
}

/**
 * Keeps an answer for which nothing was written, or gives the attempt up. If the work has kept an answer before it
 * failed, that is the answer.
 */
async function settle(request: HttpRequest, omission: Omission | undefined): Promise<void> {
  const { attempt, keepsLastAnswer, principal, problemCode, now } = request.internal;
  const { response } = request;
  const isOfAnother = problemCode === 'idempotency_in_progress';
  if (!attempt || !response || isOfAnother) return;
  const hasWritten = keepsLastAnswer !== undefined && problemCode === undefined;
  if (hasWritten && keepsLastAnswer) {
    await account(request, attempt, hasWritten);
    return;
  }
  const isWorthKeeping = isKept(response, problemCode);
  try {
    const before = isWorthKeeping
      ? await keepAnswer(attempt, keptOf(response, omission), now)
      : await endAttempt(attempt);
    if (before || isWorthKeeping) await account(request, attempt, hasWritten || before !== undefined);
    if (!before) return;
    const { status, headers, body } = await wholeOf(before, principal, omission);
    request.response = { statusCode: status, headers: { ...headers }, body };
  } catch (error) {
    logger.warn('attempt is left to its lease', { error: asError(error) });
    if (!isWorthKeeping) return;
    const isTakenOver = error instanceof ConditionalCheckFailedException;
    request.response = problemResponse(isTakenOver ? inProgress() : overloaded(), requestIdOf(request));
  }
}

/** If it fails, one more answer is kept than is known, until it expires. */
async function account(
  { internal: { principal, now } }: HttpRequest,
  attempt: Attempt,
  hasWritten: boolean,
): Promise<void> {
  try {
    await (hasWritten ? countKeptAnswer(principal, now) : takeSlot(principal, attempt, now));
  } catch (error) {
    logger.warn('kept answer is not accounted for', { error: asError(error) });
  }
}

function isKept({ statusCode }: HttpResponse, problemCode: string | undefined): boolean {
  return statusCode < 500 && !NOT_KEPT.has(statusCode) && problemCode !== 'validation_failed';
}

function keptOf({ statusCode, headers, body }: HttpResponse, omission: Omission | undefined): KeptAnswer {
  const answer = { status: statusCode, headers, body };
  if (!omission || isProblem(answer)) return answer;
  const { data } = JSON.parse(body);
  return { ...answer, body: JSON.stringify({ data: omission.omit(data) }) };
}

async function wholeOf(kept: KeptAnswer, owner: Principal, omission: Omission | undefined): Promise<KeptAnswer> {
  if (!omission || isProblem(kept)) return kept;
  const { data } = JSON.parse(kept.body);
  return { ...kept, body: JSON.stringify({ data: await omission.restore(data, owner) }) };
}

const isProblem = ({ headers }: KeptAnswer): boolean => headers['content-type'] === PROBLEM_CONTENT_TYPE;
