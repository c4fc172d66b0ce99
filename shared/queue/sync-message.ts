import * as v from 'valibot';

/** A message of the queue `syncs`: which remote connection is to be synced. */

export const syncMessage = v.object({
  organizationId: v.string(),
  /**
   * The id of the import job that the sync makes if it finds anything. It is the same in every delivery of the message.
   */
  jobId: v.string(),
  /** The instant of the schedule that asks for the sync. */
  at: v.string(),
});

export type SyncMessage = v.InferOutput<typeof syncMessage>;
