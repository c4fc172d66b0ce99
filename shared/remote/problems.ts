import { fault, Problem, retryable } from '#shared/domain/problems.ts';
import { tooManyRemoteEntries } from '#shared/domain/remote/preview.ts';
import { logger } from '#shared/runtime/logger.ts';
import { MAX_REMOTE_ENTRIES, RemoteFailure } from './provider.ts';

/** The provider counts requests in windows of fifteen seconds. */
const DEFAULT_RETRY_AFTER_SECONDS = 15;

/** The first if the caller has just sent the credential, the second if it was stored. */
export type RejectionCode = 'invalid_remote_credential' | 'remote_credential_rejected';

export function asProblem(failure: RemoteFailure, onRejection: RejectionCode = 'remote_credential_rejected'): Problem {
  switch (failure.kind) {
    case 'credential_rejected':
      return onRejection === 'invalid_remote_credential'
        ? fault(onRejection, 'accessToken', 'The provider does not accept this access token for this account.')
        : new Problem(onRejection, { detail: 'The provider no longer accepts the access token of the connection.' });
    case 'throttled':
      return throttled(failure.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS);
    case 'timed_out':
      return new Problem('remote_timed_out', { detail: 'The provider did not answer in time; try again.' });
    case 'too_many_entries':
      return tooManyRemoteEntries(
        `The provider has more entries in this range of dates than are taken at once, which is ${MAX_REMOTE_ENTRIES} or 64 MiB of them, or than it sends in time`,
      );
    case 'invalid_answer':
      return new Problem('remote_unavailable', { detail: 'The provider gave an invalid answer.' });
    case 'list_changes':
      return new Problem('remote_unavailable', {
        kind: 'unavailable',
        detail: 'The entries at the provider changed each time that they were read; try again.',
        headers: { 'Retry-After': String(DEFAULT_RETRY_AFTER_SECONDS) },
      });
    case 'unavailable':
      return new Problem('remote_unavailable', { detail: 'The provider cannot be reached, or fails.' });
  }
}

/** @throws Problem if the request to the provider failed */
export async function answerOf<Answer>(asked: Promise<Answer>, onRejection?: RejectionCode): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    logger.warn('remote provider failed', { kind: error.kind, reason: error.message });
    throw asProblem(error, onRejection);
  }
}

function throttled(retryAfterSeconds: number): Problem {
  const detail = `The provider takes no more requests for now; try again in ${retryAfterSeconds} s.`;
  return retryable('remote_throttled', detail, retryAfterSeconds);
}
