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
