import { type Problem, retryable } from '#shared/domain/problems.ts';
import { millisecondsLeft, SharedWork } from '#shared/runtime/deadline.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { readKeys, readKeysUrl, type SigningKey } from './issuer-documents.ts';

/** For so long no key is asked for anew, or tokens with invented key ids would make us ask again and again. */
const QUIET_MILLISECONDS = 60_000;

/** After a failure nobody asks for so long; with {@link FETCH_MILLISECONDS} at most five seconds. */
const FAILURE_MILLISECONDS = 2_000;

const FETCH_MILLISECONDS = 3_000;

/** A key that the issuer has withdrawn is not accepted much longer. */
const FRESH_MILLISECONDS = 3_600_000;

/** Keys serve at most so long while the issuer cannot be reached. */
const MAXIMUM_AGE_MILLISECONDS = 24 * FRESH_MILLISECONDS;

/** The keys of an issuer as a running function holds them. Requests at the same time share one fetch. */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #clock: () => number;
  readonly #fetchMilliseconds: number;
  readonly #fetching = new SharedWork<void>();
  #keysUrl: string | undefined;
  #keys: readonly SigningKey[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #quietUntil = 0;
  #failedUntil = 0;

  constructor(issuer: string, clock: () => number = Date.now, fetchMilliseconds = FETCH_MILLISECONDS) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#fetchMilliseconds = fetchMilliseconds;
  }

  /** @returns undefined if the issuer has no such key @throws Problem `temporarily_unavailable` */
  async find(kid: string): Promise<SigningKey | undefined> {
    const isNew = this.#age() >= FRESH_MILLISECONDS && (await this.#renew());
    const held = this.#held(kid);
    if (held || this.#clock() < this.#quietUntil) return held;
    if (!isNew) await this.#fetch();
    this.#quietUntil = this.#clock() + QUIET_MILLISECONDS;
    return this.#held(kid);
  }

  #held(kid: string): SigningKey | undefined {
    return this.#keys.find(({ jwk }) => jwk.kid === kid);
  }

  #age(): number {
    return this.#clock() - this.#askedAt;
  }

  /** While the issuer cannot be reached, the keys that are held serve on. @returns whether they are new */
  async #renew(): Promise<boolean> {
    try {
      await this.#fetch();
      return true;
    } catch (error) {
      if (this.#age() >= MAXIMUM_AGE_MILLISECONDS) throw error;
      return false;
    }
  }

  async #fetch(): Promise<void> {
    if (this.#clock() < this.#failedUntil) throw unreachable();
    await this.#fetching.join((isLatest) => this.#ask(isLatest));
  }

  async #ask(isLatest: () => boolean): Promise<void> {
    const askedAt = this.#clock();
    try {
      const milliseconds = Math.floor(Math.min(this.#fetchMilliseconds, Math.max(0, millisecondsLeft())));
      const signal = AbortSignal.timeout(milliseconds);
      const keysUrl = this.#keysUrl ?? (await readKeysUrl(this.#issuer, signal));
      const keys = await readKeys(keysUrl, signal);
      if (!isLatest()) return;
      this.#keysUrl = keysUrl;
      this.#keys = keys;
      this.#askedAt = askedAt;
    } catch (error) {
      if (!isLatest()) throw unreachable();
      this.#keysUrl = undefined;
      this.#failedUntil = this.#clock() + FAILURE_MILLISECONDS;
      logger.warn('the keys of the issuer could not be read', asError(error));
      throw unreachable();
    }
  }
}

function unreachable(): Problem {
  const detail = 'The issuer of the token could not be asked for its keys.';
  return retryable('temporarily_unavailable', detail, FAILURE_MILLISECONDS / 1_000);
}
