import type { Visibility } from '#shared/domain/remote/connection.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import type { RemoteQuestion } from '#shared/domain/remote/sync-progress.ts';

/**
 * What the service needs of a remote time-tracking provider. To add another provider, write another module that
 * implements `RemoteProvider`.
 */

/** The credential as the caller sent it. Only the provider decides whether it is valid. */
export interface RemoteCredential {
  readonly accessToken: string;
  readonly accountId: string;
}

export interface RemoteAccount {
  readonly name: string;
  readonly visibility: Visibility;
}

export interface FetchedRows {
  /** Described rows. `currency` is null if the provider names none. */
  readonly rows: readonly RemoteRow[];
  /** Running timers and entries without a duration. They are not among the rows. */
  readonly skippedEntries: number;
  /** The external ids of skipped entries: the provider has these entries, but they have no rows. */
  readonly skippedIds: readonly string[];
  /** The number of entries at the provider, including the skipped ones. */
  readonly totalEntries: number;
}

/** The milliseconds left for the provider, for all pages and attempts. */
export type Deadline = () => number;

/** @param milliseconds from now on */
export function deadlineAfter(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return () => Math.max(0, end - performance.now());
}

export interface RemoteProvider {
  /** Validates the credential. @throws RemoteFailure */
  identify(credential: RemoteCredential, deadline: Deadline): Promise<RemoteAccount>;
  /**
   * The entries that the question asks for.
   *
   * @throws RemoteFailure; `too_many_entries` if there are more than `MAX_REMOTE_ENTRIES`, they are too long, or only
   * some of them come in time
   */
  fetchRows(credential: RemoteCredential, question: RemoteQuestion, deadline: Deadline): Promise<FetchedRows>;
}

/** The most entries that a confirm takes, so a whole preview can be confirmed at once. */
export const MAX_REMOTE_ENTRIES = 10_000;

export type FailureKind =
  | 'credential_rejected'
  | 'unavailable'
  | 'throttled'
  | 'timed_out'
  | 'invalid_answer'
  | 'too_many_entries';

interface FailureDetails {
  /** The HTTP status of the provider's answer. */
  readonly status?: number;
  /** When the provider accepts the next attempt. */
  readonly retryAfterSeconds?: number;
}

/**
 * The provider did not do what it was asked. The message may be logged: it contains nothing of the credential or of
 * the provider's answer.
 */
export class RemoteFailure extends Error {
  readonly kind: FailureKind;
  readonly status?: number;
  readonly retryAfterSeconds?: number;

  constructor(kind: FailureKind, message: string, { status, retryAfterSeconds }: FailureDetails = {}) {
    super(message);
    this.name = 'RemoteFailure';
    this.kind = kind;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
