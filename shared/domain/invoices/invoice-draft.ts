import type { Client } from '#shared/domain/clients/client.ts';
import { type Invoice, type InvoiceTerms, newInvoice } from './invoice.ts';
import { type LineDraft, type LineSources, lineItemsOf } from './line-item.ts';
import { type BillableEntry, type TimeGrouping, timeLines } from './tracked-time.ts';

/** What a caller wants to bill. */
export interface InvoiceDraft extends InvoiceTerms {
  readonly lineItems: readonly LineDraft[];
  readonly timeEntries?: { readonly groupBy: TimeGrouping; readonly taxRate: string | null };
}

export interface InvoiceSources extends LineSources {
  readonly client: Client;
  /** The entries of the selected days, except those that a line names. */
  readonly selected: readonly BillableEntry[];
}

/**
 * A new draft. First the lines that are spelled out, then the lines of the selected days.
 *
 * @throws what its parts throw
 */
export function draftInvoice(draft: InvoiceDraft, sources: InvoiceSources, id: string, now: Date): Invoice {
  const { client, currency, selected } = sources;
  const ofDays = draft.timeEntries ? timeLines(selected, { ...sources, ...draft.timeEntries }) : [];
  return newInvoice({ ...draft, currency }, client, [...lineItemsOf(draft.lineItems, sources), ...ofDays], id, now);
}
