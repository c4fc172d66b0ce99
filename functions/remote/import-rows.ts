import { importRows } from '#shared/contract/remote/import-rows.ts';
import { Problem } from '#shared/domain/problems.ts';
import { presentProgress } from '#shared/domain/remote/import-job.ts';
import { mappingsOf } from '#shared/domain/remote/import-plan.ts';
import { accountOf } from '#shared/domain/remote/row.ts';
import { implement } from '#shared/http/implement.ts';
import { confirmImport } from '#shared/work/remote/confirm-import.ts';
import { rehearseImport } from '#shared/work/remote/rehearse-import.ts';
import type { ImportRequest } from '#shared/work/remote/start-import.ts';

/** POST /v1/work/tracker/imports: imports rows from anywhere, or says what that would do. */
export const handler = implement(importRows, async (call) => {
  const { body, query, principal, now, newId, answer, remainingMilliseconds } = call;
  const { organizationId, userId, keyId, currency: organizationCurrency } = principal;
  const { origin, rows, updateChanged } = body;
  const request: ImportRequest = {
    ...{ organizationId, userId, keyId, accountId: accountOf(origin), origin, organizationCurrency },
    rows,
    mappings: mappingsOf(body),
    trigger: 'rows',
    updateChanged,
    jobId: newId(),
    now,
    answer: (begun) => answer(begun instanceof Problem ? begun : presentProgress(begun)),
  };
  if (query.dryRun) return { isDone: true, data: await rehearseImport(request) };
  return confirmImport(request, remainingMilliseconds);
});
