import { setTimeout as wait } from 'node:timers/promises';
import { repeats } from './echo.ts';
import { type Deadline, type FailureKind, RemoteFailure } from './provider.ts';

/**
 * Reads JSON from a foreign API, which may be slow, broken or hostile. An error contains nothing of the answer, not
 * even a URL, because the answer may repeat the secret. An answer that repeats the secret is discarded. Redirects
 * are not followed, because they would carry the secret along.
 */

export interface JsonRequest {
  readonly url: URL;
  /** What the request asks for, in our own words. */
  readonly resource: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One of the headers contains it; visible ASCII. */
  readonly secret: string;
}

export interface JsonAnswer {
  readonly value: unknown;
  /** The size of the unpacked body. */
  readonly bytes: number;
}

export interface JsonApiSettings {
  /** For one attempt, headers and body. */
  readonly attemptTimeoutMilliseconds: number;
  /** For one unpacked answer. */
  readonly maximumAnswerBytes: number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

const DEFAULTS: JsonApiSettings = {
  attemptTimeoutMilliseconds: 10_000,
  /** Room for two thousand entries of 4 KiB each. */
  maximumAnswerBytes: 8 * 1_048_576,
  sleep: wait,
  random: Math.random,
};

/** Requests only read, so repeating a request does no harm. */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 4_000;

/** With less time left, another attempt is not worth it. */
const MINIMUM_ATTEMPT_MILLISECONDS = 500;

export class JsonApi {
  readonly #settings: JsonApiSettings;

  constructor(settings: Partial<JsonApiSettings> = {}) {
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /**
   * A failure that passes by itself is tried again, as long as the deadline allows. The pause grows and has full
   * jitter, or the provider says how long it is.
   *
   * @throws RemoteFailure
   */
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
    const { attemptTimeoutMilliseconds, maximumAnswerBytes } = this.#settings;
    const milliseconds = Math.floor(Math.min(attemptTimeoutMilliseconds, remainingMilliseconds));
    if (milliseconds === 0) throw timedOut(request);
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(milliseconds) });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refusalOf(response, request);
    }
    const body = await readBody(response, request, maximumAnswerBytes);
    return { value: parse(body, request), bytes: body.length };
  }

  /** If the provider asks for a wait, waits that long and a little more, so that not all callers come back at once. */
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

/**
 * Converts what `fetch` or the reading of a body threw. The text of a network error is left out, because it may
 * quote what was received.
 */
function failureOf(error: unknown, request: JsonRequest): RemoteFailure {
  if (error instanceof Error && error.name === 'TimeoutError') return timedOut(request);
  if (error instanceof TypeError) return new RemoteFailure('unavailable', `${named(request)} broke the connection.`);
  throw error;
}

function refusalOf({ status, headers }: Response, request: JsonRequest): RemoteFailure {
  const details = { status, retryAfterSeconds: retryAfterOf(headers.get('retry-after')) };
  return new RemoteFailure(kindOf(status), `${named(request)} answered ${status}.`, details);
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'credential_rejected';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unavailable' : 'invalid_answer';
}

/** An hour. A longer wait is cut to this, because asking again earlier does no harm. */
const LONGEST_RETRY_AFTER_SECONDS = 3_600;

/** RFC 9110, 10.2.3: seconds or a date. Anything else counts as absent. */
function retryAfterOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}

/** Stops reading when the answer becomes too large, whatever length it announced. */
async function readBody(response: Response, request: JsonRequest, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw invalid(request, `answered with more than ${maximumBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer, request: JsonRequest): unknown {
  const text = textOf(body, request);
  if (repeats(text, request.secret)) throw invalid(request, 'repeats the secret');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(request, 'answered with something else than JSON');
  }
}

function textOf(body: Buffer, request: JsonRequest): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalid(request, 'answered with something else than text');
  }
}
