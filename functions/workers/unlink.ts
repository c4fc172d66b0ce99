import { removeLinks } from '#shared/data/link-removal.ts';
import { findUnlinking, finishUnlinking } from '#shared/data/unlinking.ts';
import { consume } from '#shared/queue/consume.ts';
import { sendUnlink, unlinkMessage } from '#shared/queue/unlinks.ts';

/** Longer than any single step, with all its retries: what has begun is finished in time. */
const STEP_MILLISECONDS = 15_000;

/**
 * Queue `unlinks`: removes the links to a deleted project or client. When time runs out it sends itself another message instead of failing, so that
 * the work goes on at once and does not use up the deliveries that are meant for failures. A message whose work is done does nothing.
 */
export const handler = consume(unlinkMessage, async (message, remainingMilliseconds) => {
  const deleted = await findUnlinking(message);
  if (!deleted) return;
  const isDone = await removeLinks(deleted, () => remainingMilliseconds() > STEP_MILLISECONDS);
  await (isDone ? finishUnlinking(deleted, new Date()) : sendUnlink(deleted));
});
