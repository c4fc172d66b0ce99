import type { Visibility } from '#shared/domain/remote/connection.ts';
import type { FetchedRows } from '#shared/domain/remote/preview.ts';
import type { RemoteQuestion } from '#shared/domain/remote/sync-progress.ts';

export interface RemoteCredential {
  readonly accessToken: string;
  readonly accountId: string;
}

export interface RemoteAccount {
  readonly name: string;
  readonly visibility: Visibility;
}

/** The milliseconds left for all pages and attempts. */
export type Deadline = () => number;

export function deadlineAfter(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  return () => Math.max(0, end - performance.now());
}

export interface RemoteProvider {
  /** Validates the credential. @throws RemoteFailure */
  identify(credential: RemoteCredential, deadline: Deadline): Promise<RemoteAccount>;
  /** @throws RemoteFailure; `too_many_entries` also if they are too long, or only some of them come in time */
  fetchRows(credential: RemoteCredential, question: RemoteQuestion, deadline: Deadline): Promise<FetchedRows>;
}

/** As many as a confirm takes, so that a whole preview can be confirmed at once. */
export const MAX_REMOTE_ENTRIES = 10_000;

export type FailureKind =
  | 'credential_rejected'
  | 'unavailable'
  | 'throttled'
  | 'timed_out'
  | 'invalid_answer'
  | 'list_changes'
  | 'too_many_entries';

interface FailureDetails {
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}

/** The message may be logged: it quotes neither the credential nor the provider's answer. */
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
