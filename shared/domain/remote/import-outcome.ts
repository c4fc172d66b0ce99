import type { Entry } from '#shared/domain/tracker/entry.ts';
import type { ImportJob } from './import-job.ts';
import type { PlannedRow } from './import-plan.ts';

/** What a planned row does to the table: it makes an entry, updates one, or does nothing. */

/** Entries are created as of the job's start, so importing a row again makes the same entry. */
function importedEntry(row: PlannedRow, job: ImportJob): Entry {
  return {
    id: row.entryId,
    organizationId: job.organizationId,
    userId: job.userId,
    startedAt: null,
    endedAt: null,
    source: 'remote_api',
    timerSessionId: null,
    holdId: null,
    ...workOf(row),
    imported: {
      jobId: job.id,
      accountId: job.accountId,
      externalId: row.externalId,
      content: row.content,
      isEdited: false,
    },
    createdAt: job.createdAt,
    updatedAt: job.createdAt,
  };
}

function workOf(row: PlannedRow) {
  return {
    description: row.description,
    entryDate: row.date,
    durationMinutes: row.durationMinutes,
    billable: row.billable,
    rate: row.rate,
    currency: row.currency,
    clientId: row.clientId,
    clientLabel: row.clientId === null ? row.client : null,
    projectId: row.projectId,
  };
}

/** The entry as the provider has it now. It still belongs to the job that made it. */
function updatedEntry(entry: Entry, row: PlannedRow, job: ImportJob): Entry {
  return {
    ...entry,
    ...workOf(row),
    startedAt: null,
    endedAt: null,
    imported: entry.imported && { ...entry.imported, content: row.content, isEdited: false },
    updatedAt: job.createdAt,
  };
}

/**
 * What a row does to the entry under its id; null: nothing. A row that is there already is skipped. If changed rows
 * are wanted, an entry that was imported from different content is updated, unless it is on an invoice.
 *
 * @param stored undefined if there is no such entry; it names a hold only if that holds it
 */
export function outcomeOf(row: PlannedRow, stored: Entry | undefined, job: ImportJob): Entry | null {
  if (!stored) return importedEntry(row, job);
  return wantsUpdate(row, stored, job) && stored.holdId === null ? updatedEntry(stored, row, job) : null;
}

/**
 * Whether a row should change the entry under its id, unless that entry is on an invoice. If somebody has
 * edited the entry here, a confirm may change it, but a scheduled sync may not.
 */
export function wantsUpdate(row: PlannedRow, { imported }: Entry, { updateChanged, trigger }: ImportJob): boolean {
  if (!updateChanged || imported === null || imported.content === row.content) return false;
  return trigger === 'confirm' || !imported.isEdited;
}
