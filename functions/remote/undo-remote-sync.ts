import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { actorOf, happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';
import { previewUndo, type Undoing, undoImport } from '#shared/work/remote/undo-import.ts';

/** POST /v1/work/tracker/remote/sync/history/{id}/undo: removes imported entries that nobody edited or invoiced. */
export const handler = implement(undoRemoteSync, {
  load: ({ params, principal }) => getImport(principal.organizationId, params.id),
  run: async ({ resource, principal, query, now, answer }) => {
    const present = (undoing: Undoing) => ({ importJobId: resource.id, ...undoing });
    if (query.dryRun) return present(await previewUndo(resource));
    const undone = happening('import.undone', resource);
    return present(await undoImport(resource, actorOf(principal), now, (undoing) => answer(present(undoing), undone)));
  },
});
