import { setTimeout as wait } from 'node:timers/promises';
import { type Deadline, type FailureKind, RemoteFailure } from './provider.ts';

/**
 * Reads JSON from an API that is somebody else's: it may be slow, broken or hostile. Nothing of what it says reaches an error, because it
 * may repeat the credential; it never leads anywhere else, because a redirect would carry the credential along.
 */

export interface JsonApiSettings {
  /** Of one attempt, headers and body. */
  readonly attemptTimeoutMilliseconds: number;
  /** Of one answer, unpacked. */
  readonly maximumAnswerBytes: number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
}

const DEFAULTS: JsonApiSettings = {
  attemptTimeoutMilliseconds: 10_000,
  /** Two thousand entries of 4 KiB each. */
  maximumAnswerBytes: 8 * 1_048_576,
  sleep: wait,
  random: Math.random,
};

/** Requests only read, so that repeating one does no harm. */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 4_000;

/** Less is not worth another attempt. */
const MINIMUM_ATTEMPT_MILLISECONDS = 500;

export class JsonApi {
  readonly #settings: JsonApiSettings;

  constructor(settings: Partial<JsonApiSettings> = {}) {
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /**
   * What passes by itself is tried again after a growing pause with full jitter, or when the provider says, as long as the deadline allows.
   *
   * @throws RemoteFailure
   */
  async get(url: URL, headers: Readonly<Record<string, string>>, deadline: Deadline): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(url, headers, deadline());
      } catch (error) {
        const failure = error instanceof RemoteFailure ? error : failureOf(error, url);
        const pause = this.#pauseAfter(failure, attempt);
        const hasTime = pause + MINIMUM_ATTEMPT_MILLISECONDS <= deadline();
        if (!TRANSIENT.has(failure.kind) || attempt === MAX_ATTEMPTS || !hasTime) throw failure;
        await this.#settings.sleep(pause);
      }
    }
  }

  async #attempt(url: URL, headers: Readonly<Record<string, string>>, remainingMilliseconds: number): Promise<unknown> {
    const { attemptTimeoutMilliseconds, maximumAnswerBytes } = this.#settings;
    const milliseconds = Math.floor(Math.min(attemptTimeoutMilliseconds, remainingMilliseconds));
    if (milliseconds === 0) throw timedOut(url);
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(milliseconds) });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refusalOf(response, url);
    }
    return parse(await readBody(response, url, maximumAnswerBytes), url);
  }

  /** Whoever is asked to wait waits that long and a little more, so that all who were asked do not come back at once. */
  #pauseAfter({ retryAfterSeconds = 0 }: RemoteFailure, attempt: number): number {
    const longest = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 1));
    return retryAfterSeconds * 1_000 + this.#settings.random() * longest;
  }
}

const TRANSIENT: ReadonlySet<FailureKind> = new Set(['throttled', 'timed_out', 'unavailable']);

/** Names what was asked for, without its query. */
function named({ pathname }: URL): string {
  return `The provider's ${pathname}`;
}

function timedOut(url: URL): RemoteFailure {
  return new RemoteFailure('timed_out', `${named(url)} took too long.`);
}

function invalid(url: URL, reason: string): RemoteFailure {
  return new RemoteFailure('invalid_answer', `${named(url)} ${reason}.`);
}

/** What `fetch` and the reading of a body throw. The text of a network error is left out: it may quote what was received. */
function failureOf(error: unknown, url: URL): RemoteFailure {
  if (error instanceof Error && error.name === 'TimeoutError') return timedOut(url);
  if (error instanceof TypeError) return new RemoteFailure('unavailable', `${named(url)} broke the connection.`);
  throw error;
}

function refusalOf({ status, headers }: Response, url: URL): RemoteFailure {
  const details = { status, retryAfterSeconds: retryAfterOf(headers.get('retry-after')) };
  return new RemoteFailure(kindOf(status), `${named(url)} answered ${status}.`, details);
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'credential_rejected';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unavailable' : 'invalid_answer';
}

/** An hour: who is asked to wait for longer may as well ask again before. */
const LONGEST_RETRY_AFTER_SECONDS = 3_600;

/** RFC 9110, 10.2.3: seconds or a date. Anything else is as none. */
function retryAfterOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}

/** Stops reading where the answer becomes too large, whatever length it has announced. */
async function readBody(response: Response, url: URL, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maximumBytes) throw invalid(url, `answered with more than ${maximumBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer, url: URL): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw invalid(url, 'answered with something else than JSON');
  }
}
