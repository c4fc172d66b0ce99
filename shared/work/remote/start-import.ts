import { readDirectoryFor } from '#shared/data/directory/directory.ts';
import { forgetHeldBack } from '#shared/data/remote/held-back.ts';
import { insertImport, noteSent } from '#shared/data/remote/imports.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { withUserRates } from '#shared/data/tracker/links.ts';
import { happening } from '#shared/domain/events/happening.ts';
import type { LockedThrough } from '#shared/domain/lock.ts';
import { MAX_VIOLATIONS, Problem, type Violation } from '#shared/domain/problems.ts';
import { endedWaits, type HeldBack, markReread } from '#shared/domain/remote/held-back.ts';
import { type ImportJob, newImport, refusedImport } from '#shared/domain/remote/import-job.ts';
import { brokenRules, type Mappings, type PlannedRow, planRow } from '#shared/domain/remote/import-plan.ts';
import { chunksOf, unitsOf } from '#shared/domain/remote/import-units.ts';
import { describedRow, type IdentifiedRow, identifyRows, type RemoteRow } from '#shared/domain/remote/row.ts';
import { sendUnits } from '#shared/queue/imports.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { giveUpImport } from './end-import.ts';
import { recordOf } from './import-events.ts';
import { effectOf } from './import-units.ts';

export interface ImportRequest
  extends Pick<
    ImportJob,
    'organizationId' | 'userId' | 'keyId' | 'accountId' | 'origin' | 'trigger' | 'updateChanged'
  > {
  readonly jobId: string;
  readonly organizationCurrency: string;
  readonly rows: readonly RemoteRow[];
  /** What was held back and asked for again; `rows` has what the provider still has of it. */
  readonly reread?: readonly HeldBack[];
  readonly mappings: Mappings;
  readonly now: Date;
  readonly answer?: (begun: ImportJob | Problem) => Promise<readonly Write[]>;
}

/**
 * If a send fails, the job is closed with the rows imported by then; if the process dies, `sweep-imports` closes it.
 *
 * @throws Problem `invalid_import`: the job is stored as failed, and nothing is imported
 */
export async function startImport(request: ImportRequest): Promise<ImportJob> {
  const { planned } = await planImport(request);
  return send(request, planned, request.rows.length);
}

/** Imports only rows that change something, or are held back anew. @returns null for none @throws Problem `invalid_import` */
export async function startScheduledImport(request: ImportRequest): Promise<ImportJob | null> {
  const { reread = [] } = request;
  const { planned: rows, lockedThrough } = await planImport(request);
  const planned = markReread(rows, reread);
  const job = jobOf(request, { totalCount: planned.length });
  const { effective, wanted } = await effectOf(job, planned, lockedThrough);
  await forgetHeldBack(request, endedWaits(reread, wanted));
  return effective.length === 0 ? null : send(request, effective, effective.length);
}

async function judge(request: ImportRequest) {
  const { organizationId, mappings, rows } = request;
  const identified = identifyRows(rows.map(describedRow), request);
  const mapped = await readDirectoryFor(organizationId, linksOf(mappings));
  return { identified, mapped, broken: brokenRules(identified, mappings, mapped) };
}

/** For one who only tries. @throws Problem `invalid_import`: no job is stored */
export async function validRows(request: ImportRequest): Promise<IdentifiedRow[]> {
  const { identified, broken } = await judge(request);
  if (broken.violations.length > 0) throw invalidImport(broken.violations, null);
  return identified;
}

/** @throws Problem `invalid_import`, once the job is stored as failed */
async function planImport(
  request: ImportRequest,
): Promise<{ readonly planned: readonly PlannedRow[]; readonly lockedThrough: LockedThrough }> {
  const { organizationId, mappings, organizationCurrency, jobId, rows } = request;
  const { identified, mapped, broken } = await judge(request);
  if (broken.violations.length > 0) {
    const refusal = invalidImport(broken.violations, jobId);
    const refused = refusedImport(jobOf(request, { totalCount: rows.length }), broken.invalidRows);
    await insertImport(refused, await writesWith(request, refused, refusal));
    throw refusal;
  }
  const unpriced = identified.filter(({ rate }) => rate === null);
  const projectIds = unpriced.map(({ project }) => mappings.projects.get(project ?? '') ?? null);
  const projects = await withUserRates(organizationId, mapped.projects, projectIds);
  const planned = firstOfEach(identified).map((row) => planRow(row, mappings, projects, organizationCurrency, mapped));
  return { planned, lockedThrough: mapped.lockedThrough };
}

/** @param totalCount rows that are not planned count as duplicates */
async function send(request: ImportRequest, planned: readonly PlannedRow[], totalCount: number): Promise<ImportJob> {
  const { organizationId, jobId } = request;
  const units = unitsOf(planned, request.updateChanged);
  const dedupedCount = totalCount - planned.length;
  const job = jobOf(request, { totalCount, dedupedCount, unitCount: units.length });
  await insertImport(job, await writesWith(request, job, job));
  try {
    for (const chunk of chunksOf(units)) await sendUnits(organizationId, jobId, chunk);
  } catch (error) {
    await giveUpImport(job, new Date());
    throw error;
  }
  await noteSentIfPossible(job);
  return job;
}

async function writesWith(
  { answer, now }: ImportRequest,
  job: ImportJob,
  begun: ImportJob | Problem,
): Promise<Write[]> {
  const kept = (await answer?.(begun)) ?? [];
  const type = job.status === 'failed' ? 'import.failed' : 'import.started';
  return [...kept, recordOf(job, now, happening(type, job))];
}

/** If this note is lost, the rows are still on their way: at worst, the sweep closes the job later. */
async function noteSentIfPossible(job: ImportJob): Promise<void> {
  try {
    await noteSent(job);
  } catch (error) {
    const cause = asError(error);
    logger.warn('import is not noted as sent', { importJobId: job.id, error: cause });
  }
}

function linksOf({ clients, projects }: Mappings) {
  return [
    ...[...clients.values()].map((clientId) => ({ clientId, projectId: null })),
    ...[...projects.values()].map((projectId) => ({ clientId: null, projectId })),
  ];
}

interface Counts {
  readonly totalCount: number;
  readonly dedupedCount?: number;
  readonly unitCount?: number;
}

function jobOf(request: ImportRequest, { totalCount, dedupedCount = 0, unitCount = 0 }: Counts): ImportJob {
  const { organizationId, userId, keyId, accountId, origin, trigger, updateChanged, jobId, now } = request;
  return newImport(
    { id: jobId, organizationId, userId, keyId, accountId, origin, trigger, updateChanged, totalCount, unitCount },
    dedupedCount,
    now,
  );
}

function firstOfEach(rows: readonly IdentifiedRow[]): IdentifiedRow[] {
  const byId = new Map<string, IdentifiedRow>();
  for (const row of rows) if (!byId.has(row.entryId)) byId.set(row.entryId, row);
  return [...byId.values()];
}

function invalidImport(violations: readonly Violation[], importJobId: string | null): Problem {
  return new Problem('invalid_import', {
    detail:
      importJobId === null
        ? 'Nothing would be imported.'
        : 'Nothing was imported. The history has the import as failed.',
    errors: violations.slice(0, MAX_VIOLATIONS),
    extensions: { importJobId },
  });
}
