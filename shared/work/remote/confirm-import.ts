import { rememberIfPossible } from '#shared/data/remote/mappings.ts';
import { assertNotFailed, presentProgress } from '#shared/domain/remote/import-job.ts';
import { awaitImport } from './await-import.ts';
import { type ImportRequest, startImport } from './start-import.ts';

/** For one last look at the job, and the answer that it goes on. */
const ANSWER_MILLISECONDS = 3_000;

/** Imports reviewed rows, and waits for them as long as it may. @throws Problem `invalid_import`, `import_failed` */
export async function confirmImport(request: ImportRequest, remainingMilliseconds: () => number) {
  const { organizationId, accountId, rows, mappings } = request;
  const started = await startImport(request);
  const [job] = await Promise.all([
    awaitImport(started, () => remainingMilliseconds() > ANSWER_MILLISECONDS),
    rememberIfPossible(organizationId, accountId, rows, mappings),
  ]);
  assertNotFailed(job);
  return presentProgress(job);
}
