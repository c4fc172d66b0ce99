import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { getConnection } from '#shared/data/remote/connection.ts';
import { rememberIfPossible } from '#shared/data/remote/mappings.ts';
import { Problem } from '#shared/domain/problems.ts';
import { assertNotFailed, presentProgress } from '#shared/domain/remote/import-job.ts';
import { implement } from '#shared/http/implement.ts';
import { awaitImport } from '#shared/work/remote/await-import.ts';
import { startImport } from '#shared/work/remote/start-import.ts';

/** For one last look at the job, and the answer that it goes on. */
const ANSWER_MILLISECONDS = 3_000;

/** POST /v1/work/tracker/remote/sync/confirm: imports reviewed rows, and waits for them as long as it may. */
export const handler = implement(confirmRemoteSync, {
  load: ({ principal }) => getConnection(principal.organizationId),
  run: async ({ body, principal, resource: { accountId }, now, newId, answer, remainingMilliseconds }) => {
    const { organizationId, userId, currency } = principal;
    const mappings = { clients: body.clientMapping, projects: body.projectMapping, users: body.userMapping };
    const started = await startImport({
      organizationId,
      userId,
      accountId,
      organizationCurrency: currency,
      rows: body.rows,
      mappings,
      trigger: 'confirm',
      updateChanged: body.updateChanged,
      jobId: newId(),
      now,
      answer: (begun) => answer(begun instanceof Problem ? begun : presentProgress(begun)),
    });
    const [job] = await Promise.all([
      awaitImport(started, () => remainingMilliseconds() > ANSWER_MILLISECONDS),
      rememberIfPossible(organizationId, accountId, body.rows, mappings),
    ]);
    assertNotFailed(job);
    return presentProgress(job);
  },
});
