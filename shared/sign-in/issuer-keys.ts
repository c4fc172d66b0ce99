import { Problem } from '#shared/domain/problems.ts';
import { millisecondsLeft } from '#shared/runtime/deadline.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { readKeys, readKeysUrl, type SigningKey } from './issuer-documents.ts';

/** Otherwise tokens with invented key ids would make us ask the issuer again and again. */
const QUIET_MILLISECONDS = 60_000;

/** With {@link FETCH_MILLISECONDS} not more than five seconds. */
const FAILURE_MILLISECONDS = 2_000;

const FETCH_MILLISECONDS = 3_000;

/** A key that the issuer has withdrawn is not accepted much longer. */
const FRESH_MILLISECONDS = 3_600_000;

/** The keys of an issuer as a running function holds them. Requests at the same time share one fetch. */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #clock: () => number;
  readonly #fetchMilliseconds: number;
  #keysUrl: string | undefined;
  #keys: readonly SigningKey[] | undefined;
  #fetching: Promise<void> | undefined;
  #staleAt = 0;
  #quietUntil = 0;
  #failedUntil = 0;

  constructor(issuer: string, clock: () => number = Date.now, fetchMilliseconds = FETCH_MILLISECONDS) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#fetchMilliseconds = fetchMilliseconds;
  }

  /** @returns undefined if the issuer has no such key @throws Problem `temporarily_unavailable` */
  async find(kid: string): Promise<SigningKey | undefined> {
    const held = this.#held(kid);
    if (held) {
      this.#refresh();
      return held;
    }
    if (this.#clock() < this.#quietUntil) return undefined;
    const isFirst = this.#keys === undefined;
    await this.#fetch();
    const found = this.#held(kid);
    if (!isFirst || !found) this.#quietUntil = this.#clock() + QUIET_MILLISECONDS;
    return found;
  }

  #held(kid: string): SigningKey | undefined {
    return this.#keys?.find(({ jwk }) => jwk.kid === kid);
  }

  /** Nobody waits for it: while the issuer cannot be reached, the keys that are held serve on. */
  #refresh(): void {
    if (this.#clock() >= this.#staleAt) void this.#fetch().catch(() => {});
  }

  async #fetch(): Promise<void> {
    if (this.#clock() < this.#failedUntil) throw unreachable();
    this.#fetching ??= this.#ask().finally(() => {
      this.#fetching = undefined;
    });
    await this.#fetching;
  }

  async #ask(): Promise<void> {
    try {
      const milliseconds = Math.floor(Math.min(this.#fetchMilliseconds, Math.max(0, millisecondsLeft())));
      const signal = AbortSignal.timeout(milliseconds);
      this.#keysUrl ??= await readKeysUrl(this.#issuer, signal);
      this.#keys = await readKeys(this.#keysUrl, signal);
      this.#staleAt = this.#clock() + FRESH_MILLISECONDS;
    } catch (error) {
      this.#keysUrl = undefined;
      this.#failedUntil = this.#clock() + FAILURE_MILLISECONDS;
      logger.warn('the keys of the issuer could not be read', asError(error));
      throw unreachable();
    }
  }
}

function unreachable(): Problem {
  return new Problem('temporarily_unavailable', {
    detail: 'The issuer of the token could not be asked for its keys.',
    headers: { 'Retry-After': String(FAILURE_MILLISECONDS / 1_000) },
  });
}
