import { getRemoteSync } from '#shared/contract/remote/get-remote-sync.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { presentImport } from '#shared/domain/remote/import-job.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/remote/sync/history/{id}: one import of the caller's organization. */
export const handler = implement(getRemoteSync, async ({ params, principal }) =>
  presentImport(await getImport(principal.organizationId, params.id)),
);
