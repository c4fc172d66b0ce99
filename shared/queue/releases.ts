import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { publish } from './publish.ts';

/** The queue `releases`: which claim has ended while entries still name it. */

const { QUEUE_URL_RELEASES } = parseEnv({ QUEUE_URL_RELEASES: setting });

/** A release of ten thousand entries takes three rounds. */
const MAX_ROUNDS = 20;

export const releaseMessage = v.object({
  organizationId: v.string(),
  claimId: v.string(),
  /** How often the worker has continued with another message. */
  round: v.optional(v.number(), 0),
});

type ReleaseMessage = v.InferInput<typeof releaseMessage>;

/**
 * The deduplication id is random. Asking twice does no harm, but SQS would drop a request that it takes for a
 * repetition.
 */
export async function sendRelease({ organizationId, claimId, round }: ReleaseMessage): Promise<void> {
  await publish({
    queueUrl: QUEUE_URL_RELEASES,
    message: { organizationId, claimId, round },
    group: organizationId,
    deduplicationId: `${claimId}#${randomUUID()}`,
  });
}

/** Asks for the rest of a release. @throws Error when there are too many rounds */
export async function sendNextRound({ round, ...release }: v.InferOutput<typeof releaseMessage>): Promise<void> {
  if (round >= MAX_ROUNDS) throw new Error(`A release has not ended in ${MAX_ROUNDS} rounds.`);
  await sendRelease({ ...release, round: round + 1 });
}

/**
 * Asks for the clearing of claims that have just ended. If the queue refuses a message, the schedule `sweep-claims`
 * asks again.
 */
export async function requestReleases(organizationId: string, claimIds: readonly string[]): Promise<void> {
  for (const claimId of claimIds) {
    try {
      await sendRelease({ organizationId, claimId });
    } catch (error) {
      const cause = asError(error);
      logger.warn('release is left to the sweep', { organizationId, claimId, error: cause });
    }
  }
}
