import type { RemoteQuestion, Visibility } from '#shared/domain/remote/connection.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';

/** What the service needs of a remote time-tracking provider. Another provider is another module that implements `RemoteProvider`. */

/** As a caller has sent it: the provider decides whether it is any good. */
export interface RemoteCredential {
  readonly accessToken: string;
  readonly accountId: string;
}

export interface RemoteAccount {
  readonly name: string;
  readonly visibility: Visibility;
}

export interface FetchedRows {
  /** Described; `currency` is null where the provider names none. */
  readonly rows: readonly RemoteRow[];
  /** Running timers and entries without a duration, which are not among the rows. */
  readonly skippedEntries: number;
  /** The external ids of the skipped: the provider has them, though it has no rows of them. */
  readonly skippedIds: readonly string[];
  /** What the provider has, with the skipped. */
  readonly totalEntries: number;
}

/** How many milliseconds are left for the provider, with all pages and attempts. */
export type Deadline = () => number;

/** @param milliseconds from now on */
export function deadlineAfter(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return () => Math.max(0, end - performance.now());
}

export interface RemoteProvider {
  /** Validates the credential. @throws RemoteFailure */
  identify(credential: RemoteCredential, deadline: Deadline): Promise<RemoteAccount>;
  /** The entries that are asked for. @throws RemoteFailure, also `too_many_entries` above `MAX_REMOTE_ENTRIES`, or where they are too long */
  fetchRows(credential: RemoteCredential, question: RemoteQuestion, deadline: Deadline): Promise<FetchedRows>;
}

/** What a confirm takes at most, so that a whole preview can be confirmed at once. */
export const MAX_REMOTE_ENTRIES = 10_000;

export type FailureKind =
  | 'credential_rejected'
  | 'unavailable'
  | 'throttled'
  | 'timed_out'
  | 'invalid_answer'
  | 'too_many_entries';

interface FailureDetails {
  /** HTTP status of the provider's answer. */
  readonly status?: number;
  /** When the provider wants to be asked again. */
  readonly retryAfterSeconds?: number;
}

/** The provider did not do what was asked. The message may be logged: it holds nothing of the credential, nor of the provider's answer. */
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
