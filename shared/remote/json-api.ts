import { setTimeout as wait } from 'node:timers/promises';
import { assertParsable } from '#shared/domain/json-shape.ts';
import { type Answer, WayOut, WayOutError } from '#shared/runtime/way-out.ts';
import { repeats } from './echo.ts';
import { type Deadline, type FailureKind, RemoteFailure } from './provider.ts';

/**
 * Reads JSON from a foreign API, which may be slow, broken or hostile. No error quotes the answer, which may repeat the
 * secret, and no redirect takes the secret to another host.
 */

export interface JsonRequest {
  readonly url: URL;
  readonly resource: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In one of the headers */
  readonly secret: string;
  /** For the unpacked answer, if it is less than for any. */
  readonly maximumAnswerBytes?: number;
}

export interface JsonAnswer {
  readonly value: unknown;
  /** The size of the decompressed body */
  readonly bytes: number;
}

export interface JsonApiSettings {
  readonly attemptTimeoutMilliseconds: number;
  readonly maximumAnswerBytes: number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
}

const DEFAULTS: JsonApiSettings = {
  attemptTimeoutMilliseconds: 10_000,
  /** 2,000 entries of 4 KiB. */
  maximumAnswerBytes: 8 * 1_048_576,
  sleep: wait,
  random: Math.random,
};

const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 4_000;

const MINIMUM_ATTEMPT_MILLISECONDS = 500;

const wayOut = new WayOut();

export class JsonApi {
  readonly #settings: JsonApiSettings;

  constructor(settings: Partial<JsonApiSettings> = {}) {
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /** Tries again after a transient failure while the deadline allows. @throws RemoteFailure */
  async get(request: JsonRequest, deadline: Deadline): Promise<JsonAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, deadline());
      } catch (error) {
        const failure = error instanceof RemoteFailure ? error : failureOf(error, request);
        const pause = this.#pauseAfter(failure, attempt);
        const hasTime = pause + MINIMUM_ATTEMPT_MILLISECONDS <= deadline();
        if (!TRANSIENT.has(failure.kind) || attempt === MAX_ATTEMPTS || !hasTime) throw failure;
        await this.#settings.sleep(pause);
      }
    }
  }

  async #attempt(request: JsonRequest, remainingMilliseconds: number): Promise<JsonAnswer> {
    const { url, headers } = request;
    const { attemptTimeoutMilliseconds } = this.#settings;
    const maximumAnswerBytes = request.maximumAnswerBytes ?? this.#settings.maximumAnswerBytes;
    const milliseconds = Math.floor(Math.min(attemptTimeoutMilliseconds, remainingMilliseconds));
    if (milliseconds === 0) throw timedOut(request);
    const answer = await wayOut.request(url, { headers, signal: AbortSignal.timeout(milliseconds) });
    if (answer.status !== 200) {
      answer.drop();
      throw refusalOf(answer, request);
    }
    const body = await answer.read(maximumAnswerBytes);
    if (!body) throw invalid(request, `answered with more than ${maximumAnswerBytes} bytes`);
    return { value: parse(body, request), bytes: body.length };
  }

  /** Full jitter, after the wait that the provider asks for. */
  #pauseAfter({ retryAfterSeconds = 0 }: RemoteFailure, attempt: number): number {
    const longest = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 1));
    return retryAfterSeconds * 1_000 + this.#settings.random() * longest;
  }
}

const TRANSIENT: ReadonlySet<FailureKind> = new Set(['throttled', 'timed_out', 'unavailable']);

function named({ resource }: JsonRequest): string {
  return `The provider's ${resource}`;
}

function timedOut(request: JsonRequest): RemoteFailure {
  return new RemoteFailure('timed_out', `${named(request)} took too long.`);
}

function invalid(request: JsonRequest, reason: string): RemoteFailure {
  return new RemoteFailure('invalid_answer', `${named(request)} ${reason}.`);
}

function failureOf(error: unknown, request: JsonRequest): RemoteFailure {
  if (!(error instanceof WayOutError)) throw error;
  if (error.reason === 'timeout') return timedOut(request);
  return new RemoteFailure('unavailable', `${named(request)} broke the connection.`);
}

function refusalOf({ status, headers }: Answer, request: JsonRequest): RemoteFailure {
  const details = { status, retryAfterSeconds: retryAfterOf(headers['retry-after']) };
  return new RemoteFailure(kindOf(status), `${named(request)} answered ${status}.`, details);
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'credential_rejected';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unavailable' : 'invalid_answer';
}

const LONGEST_RETRY_AFTER_SECONDS = 3_600;

/** Seconds or a date, which begins with a day of the week (RFC 9110, 10.2.3). Anything else counts as absent. */
function retryAfterOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((date - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}

/** An entry of Harvest has some 80 values, and a page 2,000 entries. */
const MAX_VALUES = 400_000;

/** Brackets of a few MiB would take a parser hundreds, so that they are counted first. */
function parse(body: Buffer, request: JsonRequest): unknown {
  const tried = <Result>(read: () => Result, failure: string): Result => {
    try {
      return read();
    } catch {
      throw invalid(request, failure);
    }
  };
  tried(() => assertParsable(body, MAX_VALUES), 'answered with too many values, or too deep');
  const text = tried(() => new TextDecoder('utf-8', { fatal: true }).decode(body), 'is not UTF-8 text');
  if (repeats(text, request.secret)) throw invalid(request, 'repeats the secret');
  return tried(() => JSON.parse(text), 'is not JSON');
}
