import type { Body } from '#shared/contract/endpoint.ts';
import type { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { Problem } from '#shared/domain/problems.ts';
import { assertUndoable, type ImportJob, newImport } from '#shared/domain/remote/import-job.ts';
import { isHeldBack, outcomeOf } from '#shared/domain/remote/import-outcome.ts';
import { brokenRules, planRow } from '#shared/domain/remote/import-plan.ts';
import { confidentMappings, remoteNames } from '#shared/domain/remote/mapping.ts';
import { preview } from '#shared/domain/remote/preview.ts';
import { describedRow, type IdentifiedRow, identifyRows, type RemoteRow } from '#shared/domain/remote/row.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { type Books, found, type Told } from './books.ts';

/** Changes the books as an import does from the one account that the organization is connected with. */
export class Imports {
  readonly #books: Books;
  readonly #accountId: string;
  readonly #remembered = {
    clients: new Map<string, string | null>(),
    projects: new Map<string, string | null>(),
    users: new Map<string, string | null>(),
  };
  /** By day and entry. */
  readonly #heldBack = new Map<string, IdentifiedRow>();
  readonly jobs = new Map<string, ImportJob>();
  /** All that the account has now, as the provider lists it. */
  remoteRows: readonly RemoteRow[] = [];

  constructor(books: Books, accountId: string) {
    this.#books = books;
    this.#accountId = accountId;
  }

  confirm(userId: string, body: Body<typeof confirmRemoteSync>, { id, at }: Told): unknown {
    const { entries, organization } = this.#books;
    const mappings = { clients: body.clientMapping, projects: body.projectMapping, users: body.userMapping };
    const rows = this.#identified(body.rows.map(describedRow));
    if (brokenRules(rows, mappings, this.#books).violations.length > 0)
      throw new Problem('invalid_import', { detail: 'It is so.' });
    const origin = {
      organizationId: organization.id,
      userId,
      accountId: this.#accountId,
      updateChanged: body.updateChanged,
    };
    const job = newImport({ ...origin, id, trigger: 'confirm', totalCount: rows.length, unitCount: 1 }, 0, at);
    let [importedCount, updatedCount] = [0, 0];
    for (const row of rows) {
      const planned = planRow(row, mappings, this.#books, organization.currency);
      const before = entries.get(row.entryId);
      const entry = outcomeOf(planned, before, job);
      if (before && isHeldBack(planned, before, job)) this.#heldBack.set(`${row.date}#${row.entryId}`, row);
      if (!entry) continue;
      entries.set(entry.id, entry);
      if (before) updatedCount += 1;
      else importedCount += 1;
    }
    this.jobs.set(id, { ...job, status: 'imported' });
    this.#remember(body.rows, mappings);
    const skippedCount = rows.length - importedCount - updatedCount;
    return { importJobId: id, status: 'imported', importedCount, updatedCount, skippedCount };
  }

  #identified(rows: readonly RemoteRow[]): IdentifiedRow[] {
    return identifyRows(rows, { organizationId: this.#books.organization.id, accountId: this.#accountId });
  }

  #remember(rows: readonly RemoteRow[], confirmed: Parameters<typeof brokenRules>[1]): void {
    const names = remoteNames(rows);
    for (const kind of ['clients', 'projects', 'users'] as const) {
      for (const name of names[kind]) {
        const target = confirmed[kind].get(name);
        if (target !== undefined) this.#remembered[kind].set(name, target);
      }
    }
  }

  undo(id: string): unknown {
    const job = found(this.jobs, id);
    assertUndoable(job);
    const own = [...this.#books.entries.values()].filter(({ imported }) => imported?.jobId === id);
    const [invoiced, free] = split(own, ({ holdId }) => holdId !== null);
    const [edited, removable] = split(free, ({ imported }) => imported?.isEdited === true);
    for (const entry of removable) this.#books.entries.delete(entry.id);
    this.jobs.set(id, { ...job, status: 'undone' });
    const kept = { keptInvoicedCount: invoiced.length, keptEditedCount: edited.length };
    return { importJobId: id, removedCount: removable.length, ...kept };
  }

  preview(from: string, to: string): unknown {
    const { entries, clients, projects, users } = this.#books;
    const isInRange = (date: string) => date >= from && date <= to;
    const rows = this.#identified(this.remoteRows.filter(({ date }) => isInRange(date)));
    const imported = [...entries.values()].filter((entry) => entry.imported !== null && isInRange(entry.entryDate));
    const mappings = confidentMappings(rows, this.#remembered, {
      clients: [...clients.values()],
      projects: [...projects.values()],
      users: [...users.values()],
    });
    const fetched = { rows, skippedEntries: 0, skippedIds: [], unusableEntries: [], totalEntries: rows.length };
    const heldBack = [...this.#heldBack.values()];
    const known = { stored: entries, imported, heldBack, mappings, visibility: 'all' } as const;
    return preview({ from, to }, fetched, known);
  }
}

function split(entries: readonly Entry[], isFirst: (entry: Entry) => boolean): [Entry[], Entry[]] {
  return [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
}
