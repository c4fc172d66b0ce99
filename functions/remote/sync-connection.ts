import { readConfidentMappings } from '#shared/data/remote/confident-mappings.ts';
import { beginSync, endSync } from '#shared/data/remote/connection.ts';
import { decryptToken } from '#shared/data/remote/secrets.ts';
import { Problem } from '#shared/domain/problems.ts';
import { type RemoteConnection, type RemoteQuestion, syncQuestions } from '#shared/domain/remote/connection.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';
import { consume } from '#shared/queue/consume.ts';
import { startScheduledImport } from '#shared/queue/import-start.ts';
import { syncMessage } from '#shared/queue/sync-message.ts';
import { provider } from '#shared/remote/harvest.ts';
import { type Deadline, RemoteFailure } from '#shared/remote/provider.ts';
import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';

/** What storing and sending 10,000 rows may take. The provider has the rest of the function's time. */
const IMPORT_MILLISECONDS = 20_000;

/**
 * Queue `syncs`: reads what the provider has and imports it. Only names beyond doubt become links. The sync ends when
 * the import ends. If the provider refuses, the sync has failed. The message is not delivered again, because the clock
 * brings the next sync.
 */
export const handler = consume(syncMessage, async ({ organizationId, jobId, at }, remainingMilliseconds) => {
  const connection = await beginSync(organizationId, { jobId, at }, new Date());
  if (!connection) return;
  try {
    const rows = await fetchRows(connection, at, () => Math.max(0, remainingMilliseconds() - IMPORT_MILLISECONDS));
    const isImporting = await importRows(connection, jobId, rows);
    if (!isImporting) await endSync(organizationId, jobId, { status: 'succeeded', entriesImported: 0 });
  } catch (error) {
    const kind = failureOf(error);
    if (kind === undefined) throw error;
    logger.warn('sync failed', { organizationId, kind });
    metrics.count('SyncFailures', 1);
    await endSync(organizationId, jobId, { status: 'failed', entriesImported: 0 });
  }
});

async function fetchRows(connection: RemoteConnection, at: string, deadline: Deadline): Promise<readonly RemoteRow[]> {
  const { organizationId, accountId, encryptedToken } = connection;
  const accessToken = await decryptToken(organizationId, encryptedToken);
  const ask = (question: RemoteQuestion) => provider.fetchRows({ accessToken, accountId }, question, deadline);
  const [first, comparison] = syncQuestions(connection, at);
  const { rows } = await ask(first);
  const compared = comparison && (await ask(comparison).catch(withoutTooMany));
  return [...rows, ...(compared?.rows ?? [])];
}

/** Too many rows to compare: the comparison is left out, and the sync goes on. */
function withoutTooMany(error: unknown): undefined {
  if (!(error instanceof RemoteFailure && error.kind === 'too_many_entries')) throw error;
}

/** @returns whether there is an import; if so, its end is the end of the sync */
async function importRows(connection: RemoteConnection, jobId: string, rows: readonly RemoteRow[]): Promise<boolean> {
  if (rows.length === 0) return false;
  const { organizationId, userId, accountId, currency } = connection;
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
    jobId,
    now: new Date(),
  });
  return job !== null;
}

/** What makes a sync fail: the provider refuses, or a client or project of the mapping was just deleted. */
function failureOf(error: unknown): string | undefined {
  if (error instanceof RemoteFailure) return error.kind;
  return error instanceof Problem && error.code === 'invalid_import' ? error.code : undefined;
}
