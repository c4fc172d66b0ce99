import { type Directory, readDirectory } from '#shared/data/directory/directory.ts';
import { record } from '#shared/data/events/outbox.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { findOldestAdmin } from '#shared/data/organization/users.ts';
import { noteProviderAnswer, noteProviderFailure, readBreaker } from '#shared/data/remote/breaker.ts';
import { readSyncMappings } from '#shared/data/remote/confident-mappings.ts';
import { beginSync, endSync, noteProgress, type SyncingConnection } from '#shared/data/remote/connection.ts';
import { forgetHeldBack, readHeldBack, readReleased } from '#shared/data/remote/held-back.ts';
import { decryptToken } from '#shared/data/remote/secrets.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import { Problem } from '#shared/domain/problems.ts';
import { isOpen } from '#shared/domain/remote/breaker.ts';
import { isBeginning, isOfProvider, SYNC_PROBLEMS, type SyncProblem } from '#shared/domain/remote/connection.ts';
import { daysToReread, type HeldBack, isForgotten } from '#shared/domain/remote/held-back.ts';
import type { FetchedRows } from '#shared/domain/remote/preview.ts';
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
import { type Deadline, type RemoteCredential, RemoteFailure } from '#shared/remote/provider.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';
import { telling } from '#shared/work/events/telling.ts';
import { startScheduledImport } from '#shared/work/remote/start-import.ts';

/** For storing and sending 10,000 rows. The provider has the rest of the function's time. */
const IMPORT_MILLISECONDS = 20_000;

/** With less time for the provider, the next run reads the next slice, with 40 s. */
const SLICE_MILLISECONDS = 30_000;

/**
 * Queue `syncs`: imports what changed at the provider, slice by slice, until an import begins or the time is up. The
 * rest is due again at once. After a refusal, or while the provider fails, the schedule brings the next sync.
 */
export const handler = consume(
  syncMessage,
  telling(async ({ organizationId, jobId, at }, remainingMilliseconds) => {
    const breaker = await readBreaker();
    if (isOpen(breaker, new Date(Math.max(Date.now(), Date.parse(at))))) return metrics.count('SyncFailures', 1);
    const connection = await beginSync(organizationId, { jobId, at }, new Date(), [failureOf(organizationId)]);
    if (!connection) return;
    try {
      const isImporting = await readOn(connection, () => Math.max(0, remainingMilliseconds() - IMPORT_MILLISECONDS));
      if (!isImporting) await endSync(organizationId, jobId, { entriesImported: 0, problem: null }, []);
      await noteProviderAnswer(breaker);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      logger.warn('sync failed', { organizationId, problem, reason: asError(error).message });
      await endSync(organizationId, jobId, { entriesImported: 0, problem }, [failureOf(organizationId)]);
      if (!isOfProvider(problem) || isBusyAccount(error)) return noteProviderAnswer(breaker);
      metrics.count('SyncFailures', 1);
      await noteProviderFailure(new Date());
    }
  }),
);

/** The event of a sync that fails. The connection has the id of its organization. */
function failureOf(organizationId: string): Write {
  return record(organizationId, SCHEDULE, new Date(), [happening('remote.sync_failed', { id: organizationId })]);
}

/** @returns whether there is an import, whose end then ends the sync */
async function readOn(connection: SyncingConnection, deadline: Deadline): Promise<boolean> {
  const { organizationId, accountId, encryptedToken, sync } = connection;
  const credential = { accountId, accessToken: await decryptToken(organizationId, encryptedToken) };
  let { reached } = sync;
  let again = isBeginning(connection, sync) ? await readAgain(connection, credential, deadline) : NOTHING;
  if (again.heldBack.length > 0 && deadline() < SLICE_MILLISECONDS) return importRows(connection, again);
  while (reached.reading) {
    const asked = provider.fetchRows(credential, questionOf(reached.reading), deadline);
    const slice = await sliceOf(asked, reached, reached.reading, sync.at);
    if (!(await noteProgress(organizationId, sync.jobId, slice.reached))) return false;
    if (await importRows(connection, { ...again, rows: [...slice.rows, ...again.rows] })) return true;
    if (deadline() < SLICE_MILLISECONDS) return false;
    reached = slice.reached;
    again = NOTHING;
  }
  return false;
}

interface Reread {
  readonly rows: readonly RemoteRow[];
  /** For which the days were read. */
  readonly heldBack: readonly HeldBack[];
}

const NOTHING: Reread = { rows: [], heldBack: [] };

/** Rows that were held back, and are free by now: other rows of their days are none of this sync. */
async function readAgain(
  { sync, ...connection }: SyncingConnection,
  credential: RemoteCredential,
  deadline: Deadline,
): Promise<Reread> {
  const days: Reread[] = [];
  const { forgotten = [], waiting = [] } = Object.groupBy(await readHeldBack(connection), (each) =>
    isForgotten(each, sync.at) ? 'forgotten' : 'waiting',
  );
  await forgetHeldBack(connection, forgotten);
  for (const [day, heldBack] of daysToReread(await readReleased(connection, waiting))) {
    if (deadline() < SLICE_MILLISECONDS) break;
    const rows = await rowsOfDay(provider.fetchRows(credential, { from: day, to: day }, deadline));
    const ids = new Set(heldBack.map(({ externalId }) => externalId));
    if (rows) days.push({ rows: rows.filter(({ externalId }) => ids.has(externalId)), heldBack });
  }
  return { rows: days.flatMap(({ rows }) => rows), heldBack: days.flatMap(({ heldBack }) => heldBack) };
}

/** A day that does not fit is left out, as by a comparison. */
async function rowsOfDay(asked: Promise<FetchedRows>): Promise<readonly RemoteRow[] | undefined> {
  try {
    return (await asked).rows;
  } catch (error) {
    if (isTooMuch(error)) return undefined;
    throw error;
  }
}

const isTooMuch = (error: unknown): boolean => error instanceof RemoteFailure && error.kind === 'too_many_entries';

/** It answers: only the list of this account changes whenever it is read. */
const isBusyAccount = (error: unknown): boolean => error instanceof RemoteFailure && error.kind === 'list_changes';

interface Slice {
  readonly rows: readonly RemoteRow[];
  readonly reached: Progress;
}

/** A slice above the limit has no rows: a smaller one takes its place. */
async function sliceOf(asked: Promise<FetchedRows>, progress: Progress, reading: Reading, at: string): Promise<Slice> {
  try {
    const { rows, unusableEntries } = await asked;
    return { rows, reached: afterSlice(progress, reading, at, unusableEntries.length) };
  } catch (error) {
    const reached = isTooMuch(error) && withSmallerSlice(progress, reading, at);
    if (!reached) throw error;
    return { rows: [], reached };
  }
}

async function importRows(connection: SyncingConnection, { rows, heldBack }: Reread): Promise<boolean> {
  if (rows.length === 0 && heldBack.length === 0) return false;
  const { organizationId, accountId, sync } = connection;
  const directory = readDirectory(organizationId);
  const [{ currency }, mappings, userId] = await Promise.all([
    readOrganization(organizationId),
    readSyncMappings(organizationId, accountId, rows, directory),
    importerOf(connection, directory),
  ]);
  const job = await startScheduledImport({
    organizationId,
    userId,
    keyId: null,
    accountId,
    origin: null,
    organizationCurrency: currency,
    rows,
    reread: heldBack,
    mappings,
    trigger: 'schedule',
    updateChanged: true,
    jobId: sync.jobId,
    now: new Date(),
  });
  return job !== null;
}

/** The user who connected, or the oldest active admin once that user was removed. */
async function importerOf(
  { organizationId, userId }: SyncingConnection,
  directory: Promise<Directory>,
): Promise<string> {
  const { users } = await directory;
  if (users.get(userId)?.isActive) return userId;
  return (await findOldestAdmin(organizationId)) ?? userId;
}

/** The provider refuses, or a mapped client, project or user is just gone. */
function problemOf(error: unknown): SyncProblem | undefined {
  const problem = error instanceof RemoteFailure ? asProblem(error) : error;
  return problem instanceof Problem ? SYNC_PROBLEMS.find((code) => code === problem.code) : undefined;
}
