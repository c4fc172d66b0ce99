import { undoRemoteSync } from '#shared/contract/remote/imports.ts';
import { previewUndo, undoImport } from '#shared/data/remote/import-undo.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/remote/sync/history/{id}/undo: removes imported entries that nobody edited or invoiced. */
export const handler = implement(undoRemoteSync, {
  load: ({ params, principal }) => getImport(principal.organizationId, params.id),
  run: async ({ resource, query, now }) => {
    const undoing = await (query.dryRun ? previewUndo(resource) : undoImport(resource, now));
    return { importJobId: resource.id, ...undoing };
  },
});
