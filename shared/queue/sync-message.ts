import * as v from 'valibot';

export const syncMessage = v.object({
  organizationId: v.string(),
  /** The id of the import job, the same in every delivery. */
  jobId: v.string(),
  /** The scheduled time. */
  at: v.string(),
});

export type SyncMessage = v.InferOutput<typeof syncMessage>;
