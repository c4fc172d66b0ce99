import { listRemoteSyncHistory } from '#shared/contract/remote/list-remote-sync-history.ts';
import { listImports } from '#shared/data/remote/imports.ts';
import { presentImport } from '#shared/domain/remote/import-job.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/remote/sync/history: lists the organization's imports, newest first. */
export const handler = implement(listRemoteSyncHistory, async ({ query, principal }) => {
  const { items, total } = await listImports(principal.organizationId, query);
  return { items: items.map(presentImport), total };
});
