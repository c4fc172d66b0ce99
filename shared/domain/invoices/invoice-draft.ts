import { type TaxDraft, taxCategoryOf } from '#shared/domain/tax.ts';
import { type Invoice, type InvoiceTerms, type LineItem, newInvoice, reviseInvoice } from './invoice.ts';
import { assertSendable } from './invoice-size.ts';
import { type LineDraft, type LineSources, lineItemsOf } from './line-item.ts';
import type { Parties } from './parties.ts';
import { type BillableEntry, type TimeGrouping, timeLines } from './tracked-time.ts';

export interface InvoiceDraft extends InvoiceTerms {
  readonly lineItems: readonly LineDraft[];
  readonly timeEntries?: TimeDraft;
}

interface TimeDraft extends TaxDraft {
  readonly groupBy: TimeGrouping;
  readonly taxExemptionReason?: string | null;
}

export interface InvoiceSources extends LineSources, Parties {
  readonly selected: readonly BillableEntry[];
}

/**
 * Explicit lines come first, then those of the selected days.
 *
 * @throws Problem `invoice_too_large`, and those of lines
 */
export function draftInvoice(draft: InvoiceDraft, sources: InvoiceSources, id: string, now: Date): Invoice {
  const { currency } = sources;
  const ofDays = draft.timeEntries ? linesOfDays(draft.timeEntries, sources) : [];
  const lines = [...lineItemsOf(draft.lineItems, sources), ...ofDays];
  const invoice = newInvoice({ ...draft, currency }, sources, lines, id, now);
  assertSendable(invoice);
  return invoice;
}

function linesOfDays(draft: TimeDraft, { selected, ...sources }: InvoiceSources): LineItem[] {
  const taxCategory = taxCategoryOf(draft, 'timeEntries.taxCategory');
  return timeLines(selected, {
    ...sources,
    ...draft,
    taxCategory,
    taxExemptionReason: draft.taxExemptionReason ?? null,
  });
}

export function redraftInvoice(...change: Parameters<typeof reviseInvoice>): Invoice {
  const invoice = reviseInvoice(...change);
  assertSendable(invoice);
  return invoice;
}
