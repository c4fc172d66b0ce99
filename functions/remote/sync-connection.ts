import { readConfidentMappings } from '#shared/data/remote/confident-mappings.ts';
import { beginSync, endSync, noteProgress, type SyncingConnection } from '#shared/data/remote/connection.ts';
import { decryptToken } from '#shared/data/remote/secrets.ts';
import { Problem } from '#shared/domain/problems.ts';
import { SYNC_PROBLEMS, type SyncProblem } from '#shared/domain/remote/connection.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import {
  afterSlice,
  type Progress,
  questionOf,
  type Reading,
  withSmallerSlice,
} from '#shared/domain/remote/sync-progress.ts';
import { consume } from '#shared/queue/consume.ts';
import { syncMessage } from '#shared/queue/sync-message.ts';
import { provider } from '#shared/remote/harvest.ts';
import { asProblem } from '#shared/remote/problems.ts';
import { type Deadline, type FetchedRows, RemoteFailure } from '#shared/remote/provider.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';
import { startScheduledImport } from '#shared/work/remote/start-import.ts';

/** What storing and sending 10,000 rows may take. The provider has the rest of the function's time. */
const IMPORT_MILLISECONDS = 20_000;

/** With less time for the provider, the next slice is left to the next run, which has 40 s. */
const SLICE_MILLISECONDS = 30_000;

/**
 * Queue `syncs`: reads what the provider has, slice by slice, and imports it. Only names beyond doubt become links. The
 * sync ends with the first import that it begins, or when all is read, or when its time is up; if there is more to read,
 * the connection is due again at once. If the provider refuses, the sync has failed. The message is not delivered again,
 * because the clock brings the next sync.
 */
export const handler = consume(syncMessage, async ({ organizationId, jobId, at }, remainingMilliseconds) => {
  const connection = await beginSync(organizationId, { jobId, at }, new Date());
  if (!connection) return;
  try {
    const isImporting = await readOn(connection, () => Math.max(0, remainingMilliseconds() - IMPORT_MILLISECONDS));
    if (!isImporting) await endSync(organizationId, jobId, { entriesImported: 0, problem: null });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    logger.warn('sync failed', { organizationId, problem, reason: asError(error).message });
    metrics.count('SyncFailures', 1);
    await endSync(organizationId, jobId, { entriesImported: 0, problem });
  }
});

/** @returns whether there is an import; if so, its end is the end of the sync */
async function readOn(connection: SyncingConnection, deadline: Deadline): Promise<boolean> {
  const { organizationId, accountId, encryptedToken, sync } = connection;
  const credential = { accountId, accessToken: await decryptToken(organizationId, encryptedToken) };
  let { reached } = sync;
  while (reached.reading) {
    const asked = provider.fetchRows(credential, questionOf(reached.reading), deadline);
    const slice = await sliceOf(asked, reached, reached.reading, sync.at);
    if (!(await noteProgress(organizationId, sync.jobId, slice.reached))) return false;
    if (await importRows(connection, slice.rows)) return true;
    if (deadline() < SLICE_MILLISECONDS) return false;
    reached = slice.reached;
  }
  return false;
}

interface Slice {
  readonly rows: readonly RemoteRow[];
  /** The progress once the rows are imported. */
  readonly reached: Progress;
}

/** A slice that has more than is taken at once has no rows: a smaller one takes its place. */
async function sliceOf(asked: Promise<FetchedRows>, progress: Progress, reading: Reading, at: string): Promise<Slice> {
  try {
    const { rows } = await asked;
    return { rows, reached: afterSlice(progress, reading, at) };
  } catch (error) {
    const isTooMuch = error instanceof RemoteFailure && error.kind === 'too_many_entries';
    const reached = isTooMuch && withSmallerSlice(progress, reading, at);
    if (!reached) throw error;
    return { rows: [], reached };
  }
}

/** @returns whether any row changes something, so that there is an import */
async function importRows(connection: SyncingConnection, rows: readonly RemoteRow[]): Promise<boolean> {
  if (rows.length === 0) return false;
  const { organizationId, userId, accountId, currency, sync } = connection;
  const { clientMapping, projectMapping } = await readConfidentMappings(organizationId, accountId, rows);
  const job = await startScheduledImport({
    organizationId,
    userId,
    accountId,
    organizationCurrency: currency,
    rows,
    mappings: { clients: clientMapping, projects: projectMapping },
    trigger: 'schedule',
    updateChanged: true,
    jobId: sync.jobId,
    now: new Date(),
  });
  return job !== null;
}

/** What makes a sync fail: the provider refuses, or a client or project of the mapping was just deleted. */
function problemOf(error: unknown): SyncProblem | undefined {
  const problem = error instanceof RemoteFailure ? asProblem(error) : error;
  return problem instanceof Problem ? SYNC_PROBLEMS.find((code) => code === problem.code) : undefined;
}
