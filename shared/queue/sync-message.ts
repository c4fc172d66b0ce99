import * as v from 'valibot';

/** A message of the queue `syncs`: which remote connection is to be synced. */

export const syncMessage = v.object({
  organizationId: v.string(),
  /** Of the import job that the sync makes if it finds anything: the same in every delivery of the message. */
  jobId: v.string(),
  /** The tick of the clock that asks for it. */
  at: v.string(),
});

export type SyncMessage = v.InferOutput<typeof syncMessage>;
