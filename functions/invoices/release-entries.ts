import { findReleasing, finishReleasing, releaseEntries } from '#shared/data/invoices/release.ts';
import { consume } from '#shared/queue/consume.ts';
import { releaseMessage, sendNextRound } from '#shared/queue/releases.ts';

/** Longer than any single step with all its retries: a step that has begun finishes in time. */
const STEP_MILLISECONDS = 15_000;

/**
 * Queue `releases`: clears what entries still say of an invoice that was voided, deleted, or changed to bill others.
 * When time runs out, the worker sends itself another message instead of failing. A message whose work is done does
 * nothing.
 */
export const handler = consume(releaseMessage, async (message, remainingMilliseconds) => {
  const ended = await findReleasing(message);
  if (!ended) return;
  const isDone = await releaseEntries(ended, () => remainingMilliseconds() > STEP_MILLISECONDS);
  await (isDone ? finishReleasing(ended) : sendNextRound(message));
});
