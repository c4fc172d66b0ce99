import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { actorOf, happening } from '#shared/domain/events/happening.ts';
import { presentImport } from '#shared/domain/remote/import-job.ts';
import { implement } from '#shared/http/implement.ts';
import { previewUndo, type Undoing, undoImport } from '#shared/work/remote/undo-import.ts';

/** POST /v1/work/tracker/remote/sync/history/{id}/undo: removes imported entries that nobody edited or invoiced. */
export const handler = implement(undoRemoteSync, {
  load: ({ params, principal }) => getImport(principal.organizationId, params.id),
  show: presentImport,
  run: ({ principal, query, now, fresh, answer }) =>
    retrying(fresh, async (job) => {
      const present = (undoing: Undoing) => ({ importJobId: job.id, ...undoing });
      if (query.dryRun) return present(await previewUndo(job));
      const undone = happening('import.undone', job);
      return present(await undoImport(job, actorOf(principal), now, (undoing) => answer(present(undoing), undone)));
    }),
});
