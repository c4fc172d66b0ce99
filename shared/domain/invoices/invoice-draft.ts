import { type Invoice, type InvoiceTerms, newInvoice, reviseInvoice } from './invoice.ts';
import { assertSendable } from './invoice-size.ts';
import { type LineDraft, type LineSources, lineItemsOf } from './line-item.ts';
import type { Parties } from './parties.ts';
import { type BillableEntry, type TimeGrouping, timeLines } from './tracked-time.ts';

/** What a caller wants to bill. */
export interface InvoiceDraft extends InvoiceTerms {
  readonly lineItems: readonly LineDraft[];
  readonly timeEntries?: { readonly groupBy: TimeGrouping; readonly taxRate: string | null };
}

export interface InvoiceSources extends LineSources, Parties {
  /** The entries of the selected days, except those that a line names. */
  readonly selected: readonly BillableEntry[];
}

/**
 * A new draft. First the lines that are spelled out, then the lines of the selected days.
 *
 * @throws what its parts throw
 */
export function draftInvoice(draft: InvoiceDraft, sources: InvoiceSources, id: string, now: Date): Invoice {
  const { currency, selected } = sources;
  const ofDays = draft.timeEntries ? timeLines(selected, { ...sources, ...draft.timeEntries }) : [];
  const lines = [...lineItemsOf(draft.lineItems, sources), ...ofDays];
  const invoice = newInvoice({ ...draft, currency }, sources, lines, id, now);
  assertSendable(invoice);
  return invoice;
}

/**
 * Applies a PATCH to a draft, as `reviseInvoice` does.
 *
 * @throws what that throws, and Problem `invoice_too_large`
 */
export function redraftInvoice(...change: Parameters<typeof reviseInvoice>): Invoice {
  const invoice = reviseInvoice(...change);
  assertSendable(invoice);
  return invoice;
}
