import { testWebhook } from '#shared/contract/events/test-webhook.ts';
import { readWebhook } from '#shared/data/events/webhooks.ts';
import { actorOf } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';
import { DeadlineExceeded } from '#shared/runtime/deadline.ts';
import { ATTEMPT_MILLISECONDS, attempt, hangUp, readSecrets, testLetter } from '#shared/work/events/attempt.ts';
import { showWebhook } from '#shared/work/events/show-webhook.ts';

/** POST /v1/webhooks/{id}/test: sends an event that no feed has, once, and says what came of it. */
export const handler = implement(testWebhook, {
  load: ({ params, principal }) => readWebhook(principal.organizationId, params.id),
  show: showWebhook,
  run: async ({ resource, principal, now, newId, remainingMilliseconds }) => {
    const letter = testLetter(resource, newId(), actorOf(principal), now);
    const secrets = await readSecrets(resource, now);
    // With less, a receiver that still answers in its time would be said to have failed.
    if (remainingMilliseconds() < ATTEMPT_MILLISECONDS) throw new DeadlineExceeded();
    const failure = await attempt(resource, letter, secrets, now).finally(hangUp);
    return { delivered: failure === undefined, failure: failure ?? null };
  },
});
