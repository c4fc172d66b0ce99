import type { CreditSources } from '#shared/domain/invoices/credit-note.ts';
import type { LineItem } from '#shared/domain/invoices/invoice.ts';
import type { LineSources } from '#shared/domain/invoices/line-item.ts';
import { type BillableEntry, type TimeGrouping, timeLines } from '#shared/domain/invoices/tracked-time.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';

/** Of lines that name neither products nor entries. */
export const NO_SOURCES: Omit<LineSources, 'currency' | 'newId'> = {
  products: new Map(),
  entries: new Map(),
  projectNames: new Map(),
  ownProductIds: new Set(),
};

/** Of the first credit of an invoice without tracked time. */
export const FIRST_CREDIT: CreditSources = {
  credited: new Map(),
  timeOf: () => undefined,
  issueDate: '2026-11-20',
  number: 'CN-000001',
  numberPlace: null,
  id: 'credit',
  newId: () => 'line',
};

/** An hour of work for a client at 100 USD, with what the test says of it. */
export function billableEntry(told: Partial<BillableEntry> = {}): BillableEntry {
  const draft = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20', billable: true, ...told };
  const owner = { organizationId: 'org', userId: 'ana', currency: 'USD' };
  return { ...newEntry(draft, null, owner, 'entry', new Date(0)), clientId: 'c', rate: '100', ...told };
}

/** Of projects whose names are not known. */
export function untaxedLines(entries: readonly BillableEntry[], groupBy: TimeGrouping): LineItem[] {
  const untaxed = { taxRate: null, taxCategory: null, taxExemptionReason: null };
  return timeLines(entries, { groupBy, ...untaxed, projectNames: new Map(), newId: () => 'line' });
}
