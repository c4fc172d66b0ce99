import { type ImportJob, newImport } from '#shared/domain/remote/import-job.ts';
import type { PlannedRow } from '#shared/domain/remote/import-plan.ts';
import type { RemoteRow } from '#shared/domain/remote/row.ts';

/** Half an hour of work that a provider shows, with what the test says of it. */
export const remoteRow = (values: Partial<RemoteRow> = {}): RemoteRow => ({
  date: '2026-11-20',
  durationMinutes: 30,
  description: 'Work',
  project: null,
  client: null,
  user: null,
  externalId: null,
  billable: true,
  rate: null,
  currency: null,
  tags: [],
  ...values,
});

/** The same as an import is to write it. */
export function plannedRow(values: Partial<PlannedRow> = {}): PlannedRow {
  const { project: _, ...work } = remoteRow();
  const links = { clientId: null, projectId: null, userId: null };
  return { ...work, ...links, entryId: 'entry', content: 'new', externalId: '1', currency: 'EUR', ...values };
}

/** An import of one row, as it begins, with what the test says of it. */
export function importOf(told: Partial<ImportJob> = {}): ImportJob {
  const asked = { id: 'job', organizationId: 'org', userId: 'ana', keyId: null, accountId: 'account', origin: null };
  const how = { trigger: 'confirm', updateChanged: true, totalCount: 1, unitCount: 1 } as const;
  return { ...newImport({ ...asked, ...how }, 0, new Date(0)), ...told };
}
