import * as v from 'valibot';

export const deletionMessage = v.object({
  organizationId: v.string(),
  /** When the deletion is due again, if the worker does not end it. */
  dueAt: v.string(),
});

export type DeletionMessage = v.InferOutput<typeof deletionMessage>;
