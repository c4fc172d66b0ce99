import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { Problem } from '#shared/domain/problems.ts';
import { presentProgress } from '#shared/domain/remote/import-job.ts';
import { mappingsOf } from '#shared/domain/remote/import-plan.ts';
import { implement } from '#shared/http/implement.ts';
import { confirmImport } from '#shared/work/remote/confirm-import.ts';
import type { ImportRequest } from '#shared/work/remote/start-import.ts';

/** POST /v1/work/tracker/remote/sync/confirm: imports reviewed rows, and waits for them as long as it may. */
export const handler = implement(confirmRemoteSync, {
  load: ({ principal }) => getConnection(principal.organizationId),
  run: ({ body, principal, resource: { accountId }, now, newId, answer, remainingMilliseconds }) => {
    const { organizationId, userId, keyId, currency: organizationCurrency } = principal;
    const request: ImportRequest = {
      ...{ organizationId, userId, keyId, accountId, origin: null, organizationCurrency },
      rows: body.rows,
      mappings: mappingsOf(body),
      trigger: 'confirm',
      updateChanged: body.updateChanged,
      jobId: newId(),
      now,
      answer: (begun) => answer(begun instanceof Problem ? begun : presentProgress(begun)),
    };
    return confirmImport(request, remainingMilliseconds);
  },
});
