import * as v from 'valibot';

/** That there may be events for a webhook. Times are milliseconds since the epoch. */
export const webhookMessage = v.object({
  organizationId: v.string(),
  webhookId: v.string(),
  /** The feed is not read before. */
  from: v.number(),
  /** Until then, the feed is read again and again. */
  until: v.optional(v.number()),
});

export type WebhookMessage = v.InferOutput<typeof webhookMessage>;
