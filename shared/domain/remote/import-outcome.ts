import { type Entry, isSameWork } from '#shared/domain/tracker/entry.ts';
import { rateFor } from '#shared/domain/tracker/project-terms.ts';
import type { ImportJob } from './import-job.ts';
import type { PlannedRow } from './import-plan.ts';

/** It is created at the job's start: read again, a row makes an entry that differs in `updatedAt` alone. */
function importedEntry(row: PlannedRow, job: ImportJob, now: Date): Entry {
  return {
    id: row.entryId,
    organizationId: job.organizationId,
    startedAt: null,
    endedAt: null,
    source: job.origin === null ? 'remote_api' : 'import',
    timerSessionId: null,
    holdId: null,
    ...workOf(row, row.userId ?? job.userId),
    imported: {
      jobId: job.id,
      accountId: job.accountId,
      externalId: row.externalId,
      content: row.content,
      isEdited: false,
      userLabel: row.user,
    },
    createdAt: job.createdAt,
    updatedAt: now.toISOString(),
  };
}

function workOf(row: PlannedRow, userId: string) {
  return {
    userId,
    description: row.description,
    entryDate: row.date,
    durationMinutes: row.durationMinutes,
    billedMinutes: row.billedMinutes ?? row.durationMinutes,
    billable: row.billable,
    rate: rateFor(userId, { ...row, defaultRate: row.rate }),
    currency: row.currency,
    clientId: row.clientId,
    clientLabel: row.clientId === null ? row.client : null,
    projectId: row.projectId,
    tags: row.tags,
  };
}

/** An unmapped row leaves the entry to its user, as long as the work is of the same person at the provider. */
function updatedEntry(entry: Entry, row: PlannedRow, job: ImportJob, now: Date): Entry {
  const unmappedUserId = entry.imported?.userLabel === row.user ? entry.userId : job.userId;
  const work = workOf(row, row.userId ?? unmappedUserId);
  return {
    ...entry,
    ...work,
    ...(isSameWork(entry, work) && { billedMinutes: entry.billedMinutes }),
    startedAt: null,
    endedAt: null,
    imported: entry.imported && { ...entry.imported, content: row.content, isEdited: false, userLabel: row.user },
    updatedAt: now.toISOString(),
  };
}

/**
 * @param stored its `holdId` is null unless an invoice bills it
 * @param now after the reading of what is stored: an import may have begun before the invoice that has let go of the entry
 * @returns the entry to write; null for none
 */
export function outcomeOf(row: PlannedRow, stored: Entry | undefined, job: ImportJob, now: Date): Entry | null {
  if (!stored) return importedEntry(row, job, now);
  return wantsUpdate(row, stored, job) && stored.holdId === null ? updatedEntry(stored, row, job, now) : null;
}

/**
 * Who sends rows may overwrite an entry that somebody edited here. A scheduled sync may not, unless the row was held
 * back after that edit.
 */
export function wantsUpdate(
  { content, heldBackAt = '' }: PlannedRow,
  { imported, updatedAt }: Entry,
  { updateChanged, trigger }: ImportJob,
): boolean {
  if (!updateChanged || imported === null || imported.content === content) return false;
  return trigger !== 'schedule' || !imported.isEdited || updatedAt <= heldBackAt;
}

/** Whether only an invoice keeps the row from changing its entry. */
export function isHeldBack(row: PlannedRow, stored: Entry, job: ImportJob): boolean {
  return stored.holdId !== null && wantsUpdate(row, stored, job);
}
